"""A command in a network of its own, where a name server takes its time: unshare -rmn python3 slow_names.py FOLDER COMMAND…

Each name's address is 127.0.0.1, half a second after the question.
"""
import fcntl
import os
import socket
import struct
import subprocess
import sys
import threading
import time


def bring_up_loopback():
    up, set_flags, running = 1, 0x8914, 0x40
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up | running))


def answer(server):
    while True:
        question, client = server.recvfrom(512)
        time.sleep(0.5)
        end = question.index(b"\0", 12) + 5  # of the question: name, type, class
        head = question[:2] + bytes.fromhex("8180" "0001" "0001" "0000" "0000")
        address = bytes.fromhex("c00c" "0001" "0001" "00000000" "0004") + socket.inet_aton("127.0.0.1")
        server.sendto(head + question[12:end] + address, client)


def replace(file, text, folder):
    own = os.path.join(folder, os.path.basename(file))
    with open(own, "w", encoding="utf-8") as to:
        to.write(text)
    subprocess.run(["mount", "--bind", own, file], check=True)


bring_up_loopback()
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
threading.Thread(target=answer, args=(server,), daemon=True).start()
replace("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n", sys.argv[1])
replace("/etc/nsswitch.conf", "hosts: dns\n", sys.argv[1])
sys.exit(subprocess.run(sys.argv[2:], check=False).returncode)
