"""A campaign of faults against running processes: what is asked for meanwhile is there once in the end, and charged
once."""
