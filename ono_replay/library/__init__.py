"""A folder of Parquet and SQL over it: recorded games as a data set."""
