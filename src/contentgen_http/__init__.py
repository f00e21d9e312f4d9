"""The HTTP service, the job runner and the command line of Contentgen."""
