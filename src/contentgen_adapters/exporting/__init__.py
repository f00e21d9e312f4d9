"""Articles as PDF and DOCX files."""
