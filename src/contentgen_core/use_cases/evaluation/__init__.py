"""Evaluating a knowledge base over cases that are made from it."""
