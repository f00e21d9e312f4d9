"""The kinds of sources that need settings, each in a module that names its `PROVIDER`."""
