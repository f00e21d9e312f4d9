"""The repositories, a module for each subject. Each class names its port: `@repository(Voices)`."""
