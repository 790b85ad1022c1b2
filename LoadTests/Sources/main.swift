print("roost-load")
