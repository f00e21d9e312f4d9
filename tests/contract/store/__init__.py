"""The contract of everything stored, which the store in memory and the one in PostgreSQL pass: one file per repository,
and machines that try both in any order of calls."""
