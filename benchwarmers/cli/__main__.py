"""`python -m benchwarmers.cli`."""

from benchwarmers.cli.main import main

if __name__ == "__main__":
    main()
