"""polynb"""
