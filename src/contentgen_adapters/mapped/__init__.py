"""What the processes of one machine share in a file that each of them maps into its memory."""
