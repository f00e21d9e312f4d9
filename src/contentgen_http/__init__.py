"""The composition roots of Contentgen: HTTP service, job runner, command line, embedding in other programs."""
