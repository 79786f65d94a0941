#!/usr/bin/env python
"""Django's command line, for a clone; an installed copy has it as `python -m benchwarmers.manage`."""

from benchwarmers.manage import main

if __name__ == "__main__":
    main()
