/// Names the sources
