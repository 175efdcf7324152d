"""Captures real packets over loopback, writes them as pcap and pcapng with dpkt, and what dpkt reads in these files.

    pip install dpkt==1.9.8 && sudo python3 loopback.py     writes loopback.pcap, loopback.pcapng and loopback.json beside it

A server at 127.0.0.2 sends 40 kB over TCP and 12 datagrams over UDP to 127.0.0.1, with a pause in between.
"""
import collections
import json
import pathlib
import socket
import threading
import time

import dpkt

HERE = pathlib.Path(__file__).parent
CLIENT, SERVER, SNAP, INTERVAL_MS = "127.0.0.1", "127.0.0.2", 96, 20
OUTGOING = 4  # Loopback shows every packet twice: as it is sent, and as it comes.


def capture(packets, stop):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as device:
        device.bind(("lo", 0))
        device.settimeout(0.1)
        while not stop.is_set():
            try:
                frame, (_, _, kind, *_) = device.recvfrom(65_600)
            except TimeoutError:
                continue
            if kind != OUTGOING and socket.inet_aton(SERVER) in frame[26:34]:
                packets.append((time.time(), frame[:SNAP]))


def traffic():
    listener = socket.create_server((SERVER, 0))
    client = socket.create_connection(listener.getsockname(), source_address=(CLIENT, 0))
    server, _ = listener.accept()
    for _ in range(10):
        server.sendall(bytes(4000))
        time.sleep(0.01)
    time.sleep(0.1)
    with socket.socket(type=socket.SOCK_DGRAM) as one, socket.socket(type=socket.SOCK_DGRAM) as other:
        one.bind((SERVER, 0))
        other.bind((CLIENT, 0))
        for _ in range(12):
            one.sendto(bytes(1200), other.getsockname())
            time.sleep(0.005)
    for each in (server, client, listener):
        each.close()
    time.sleep(0.2)


def summary(reader):
    totals = collections.Counter()
    packets, intervals, first = 0, collections.Counter(), None
    for at, frame in reader:
        packet = dpkt.ethernet.Ethernet(frame).data
        source = socket.inet_ntoa(packet.src)
        packets += 1
        if source != SERVER:
            continue
        totals[{6: "tcpBytes", 17: "udpBytes"}[packet.p]] += packet.len
        first = at if first is None else first
        intervals[int((at - first) * 1000 // INTERVAL_MS)] += packet.len
    return {"packets": packets, **totals, "bytesByInterval": [intervals[place] for place in range(max(intervals) + 1)]}


def main():
    packets, stop = [], threading.Event()
    capturing = threading.Thread(target=capture, args=(packets, stop))
    capturing.start()
    time.sleep(0.2)
    traffic()
    stop.set()
    capturing.join()
    found = {}
    for name, form in (("loopback.pcap", dpkt.pcap), ("loopback.pcapng", dpkt.pcapng)):
        with (HERE / name).open("wb") as file:
            writer = form.Writer(file)
            for at, frame in packets:
                writer.writepkt(frame, at)
        with (HERE / name).open("rb") as file:
            found[name] = summary(form.Reader(file))
    text = {"dpkt": dpkt.__version__, "server": SERVER, "intervalMs": INTERVAL_MS, "files": found}
    (HERE / "loopback.json").write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
