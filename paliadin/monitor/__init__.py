"""What the record says: figures, verdict, report, export. Reads the rows; changes them only to delete."""
