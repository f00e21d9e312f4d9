"""The public pages as one small site: home, lists, articles, trends. Their routes are those of the data they show."""
