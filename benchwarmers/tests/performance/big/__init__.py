"""A large installation: fills a database with it, measures every page over it, and what a browser makes of them.

python -m benchwarmers.tests.performance.big seed      fill the database of the settings in force
python -m benchwarmers.tests.performance.big measure   fill SQLite and Postgres, ask every page, print a table
python -m benchwarmers.tests.performance.big paint     fill SQLite, start all of it, look at pages with Chromium
python -m benchwarmers.tests.performance.big growth    fill Postgres; measure pages, hot queries, turns and deletion
"""
