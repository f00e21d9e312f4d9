"""Filling the knowledge base from the web, for topics with too little coverage."""
