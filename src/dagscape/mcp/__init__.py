"""A server for agents, by the Model Context Protocol: ``dagscape mcp``.

Every call is done in a process of its own, which is ended when its time is over. Files are read
under one folder and written into another, if one is given; nothing is sent anywhere.
"""
