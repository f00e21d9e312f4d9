"""The console: pages on which people work. Each page is a folder of `pages/`: its routes, what it shows, its
templates. It calls use cases, whose permissions are its own."""
