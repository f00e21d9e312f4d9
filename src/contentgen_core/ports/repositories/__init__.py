"""The repositories of a transaction, one file per aggregate."""
