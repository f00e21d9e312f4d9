"""What the operations of the API share: their declaration, keys, bodies, answers, and the OpenAPI document."""
