"""Sends frames into a router of the kernel and returns what it sends: the two hosts' sides of its cables.

Standard input:  a side (1 byte), a length (2 bytes), a frame.
Standard output: for each frame a count (2 bytes), then the frames that left the router, each as on standard input.

Each frame is followed by a marker, a packet that the router forwards in any case: what has arrived before it is the answer. All of it
happens on one processor, whose queues keep the order.
"""
import os
import socket
import struct
import sys

ETH_P_ALL = 3
OUTGOING = 4
# The first byte of global addresses (2000::/3) in tests: what the router sends of itself on its links has others.
GLOBAL = 0x20
SIDES = ("pa", "pb")


def open_side(name):
    side = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    side.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    side.bind((name, ETH_P_ALL))
    side.settimeout(5)
    return side


def receive(side):
    while True:
        frame, address = side.recvfrom(65535)
        if address[2] == OUTGOING:
            continue
        if frame[12:14] == b"\x08\x00" or (frame[12:14] == b"\x86\xdd" and frame[22] == GLOBAL):
            return frame


def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    markers = [bytes.fromhex(text) for text in sys.argv[1:]]
    sides = [open_side(name) for name in SIDES]
    source = sys.stdin.buffer
    while header := source.read(3):
        number, length = struct.unpack("!BH", header)
        sides[number].send(source.read(length))
        left = []
        for start, marker in enumerate(markers):
            sides[start].send(marker)
            while True:
                frame = receive(sides[1 - start])
                if frame[12:14] == marker[12:14] and frame[23] == marker[23]:
                    break
                left.append((1 - start, frame))
        sys.stdout.buffer.write(struct.pack("!H", len(left)))
        for number, frame in left:
            sys.stdout.buffer.write(struct.pack("!BH", number, len(frame)) + frame)
        sys.stdout.buffer.flush()


main()
