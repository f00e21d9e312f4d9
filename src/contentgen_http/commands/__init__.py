"""The commands of `contentgen`, by what they are about."""
