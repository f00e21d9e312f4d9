"""An evaluation as files and on the terminal."""
