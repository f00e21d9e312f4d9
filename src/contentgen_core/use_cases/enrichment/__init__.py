"""Filling the knowledge base from the web, for topics that it covers too little."""
