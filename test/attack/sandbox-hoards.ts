/** Code that allocates memory in ways that are hard to measure. Each prints `took MEGABYTES` while it runs. */
export interface MemoryVector {
  name: string
  language: 'node' | 'python' | 'bash'
  code: string
}

export const wantedMegabytes = 4000

/** Runs code with the system's Python, which exists even if no environment for code is installed. */
const python = (name: string, code: string): MemoryVector => ({
  name,
  language: 'bash',
  code: `/usr/bin/python3 -u - <<'END'\nimport ctypes, os, socket, sys, time\nlibc = ctypes.CDLL(None, use_errno=True)\nwanted = ${wantedMegabytes}\n${code}\ntime.sleep(1)\nEND`,
})

export const memoryHoards: MemoryVector[] = [
  python(
    'memfd, written and never mapped',
    `kept = []
block = b'x' * (1 << 20)
try:
    while len(kept) * 64 < wanted:
        kept.append(os.memfd_create('hoard'))
        for _ in range(64): os.write(kept[-1], block)
        print('took', len(kept) * 64)
except OSError as error: print(error)`,
  ),
  python(
    'secret memory',
    `descriptor = libc.syscall(447, 0)
print('took', wanted if descriptor >= 0 else 0)`,
  ),
  python(
    'shared memory of System V, detached again',
    `libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
libc.shmdt.argtypes = [ctypes.c_void_p]
took = 0
while took < wanted:
    segment = libc.shmget(0, 64 << 20, 0o1600)
    place = libc.shmat(segment, None, 0) if segment >= 0 else None
    if segment < 0 or place in (None, ctypes.c_void_p(-1).value): break
    ctypes.memset(place, 1, 64 << 20)
    libc.shmdt(place)
    took += 64
    print('took', took)`,
  ),
  python(
    'message queues of System V',
    `class Message(ctypes.Structure): _fields_ = [('kind', ctypes.c_long), ('text', ctypes.c_char * 8192)]
message = Message(1, b'x' * 8192)
took = 0
while took < wanted * 1024:
    queue = libc.msgget(0, 0o1600)
    if queue < 0: break
    while libc.msgsnd(queue, ctypes.byref(message), 8192, 0o4000) == 0: took += 8
    print('took', took // 1024)`,
  ),
  python(
    'queues of POSIX',
    `opened = libc.mq_open(b'/hoard', 0o102, 0o600, None)
print('took', wanted if opened >= 0 else 0)`,
  ),
  socketHoard(
    'buffers of local sockets',
    `left, right = socket.socketpair()
    for side in (left, right):
        side.setblocking(False)
        side.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)`,
    '(left, right)',
  ),
  socketHoard(
    'buffers of TCP over its own loopback',
    `left = socket.create_connection(server.getsockname())
    right = server.accept()[0]
    for side in (left, right):
        side.setblocking(False)
        side.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
        side.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 30)`,
    '(left, right)',
  ),
  python(
    'pipes',
    `import fcntl
def hoard():
    kept = []
    took = 0
    try:
        while True:
            reading, writing = os.pipe()
            kept += [reading, writing]
            try: fcntl.fcntl(writing, 1031, 1 << 20)
            except OSError: pass
            os.set_blocking(writing, False)
            try:
                while True: took += os.write(writing, b'x' * 65536)
            except BlockingIOError: pass
    except OSError: pass
    return took
reading, writing = os.pipe()
for child in range(200):
    try:
        if os.fork() == 0:
            os.write(writing, (b'%d\\n' % hoard()))
            time.sleep(60)
            os._exit(0)
    except OSError: break
os.close(writing)
took = 0
for line in os.fdopen(reading):
    took += int(line)
    print('took', took >> 20)`,
  ),
  ...['/tmp', '/dev/shm', '/dev'].map((folder) =>
    python(
      `empty files in ${folder}`,
      `count = 0
try:
    # A file takes about a kilobyte of the kernel's memory.
    while count < wanted * 1024:
        os.close(os.open('${folder}/%d' % count, os.O_CREAT | os.O_WRONLY))
        count += 1
        if count % 20000 == 0: print('took', count // 1024)
except OSError as error: print(error)`,
    ),
  ),
  python(
    'page tables of memory that is only read',
    `libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_size_t]
size = 64 << 30
took = 0
while took < wanted:
    place = libc.mmap(None, size, 1, 0x4022, -1, 0)
    if place in (None, ctypes.c_void_p(-1).value): break
    for offset in range(0, size, 2 << 20):
        ctypes.string_at(place + offset, 1)
        if offset % (1 << 30) == 0: print('took', took + (offset >> 19) // 1024 * 2)
    took += 128`,
  ),
  ...['/tmp', '/dev/shm', '/dev', '/run', '/'].map((folder) =>
    python(
      `large files in ${folder}`,
      `took = 0
try:
    with open('${folder}/large', 'wb', 0) as file:
        while took < wanted:
            took += file.write(b'x' * (1 << 20)) >> 20
            if took % 64 == 0: print('took', took)
except OSError as error: print(error)`,
    ),
  ),
  {
    name: 'memory of a process',
    language: 'node',
    code: `const kept = []
while (kept.length * 50 < ${wantedMegabytes}) { kept.push(Buffer.alloc(50e6, 1)); console.log('took', kept.length * 50) }`,
  },
  python(
    'memory of many processes',
    // Each process reports after it has written its memory, because on a busy machine some have started but not
    // allocated yet.
    `told, tell = os.pipe()
os.set_blocking(told, False)
full = 0
for child in range(1, wanted // 100):
    if os.fork() == 0:
        block = bytearray(b'x') * (100 << 20)
        os.write(tell, b'x')
        time.sleep(60)
        os._exit(0)
    time.sleep(0.05)
    try:
        full += len(os.read(told, 100))
    except BlockingIOError:
        pass
    print('took', full * 100)`,
  ),
  python(
    'memory shared by nobody',
    `import mmap
kept = []
while len(kept) * 64 < wanted:
    kept.append(mmap.mmap(-1, 64 << 20))
    kept[-1].write(b'x' * (64 << 20))
    print('took', len(kept) * 64)`,
  ),
]

function socketHoard(name: string, open: string, sides: string): MemoryVector {
  return python(
    name,
    `import resource
server = socket.create_server(('127.0.0.1', 0), backlog=100)
kept = [server]
took = 0
def fill():
    global took
    ${open}
    kept.extend(${sides})
    for side in ${sides}:
        try:
            while True: took += side.send(b'x' * 65536)
        except BlockingIOError: pass
for process in range(100):
    try:
        while took < wanted << 20:
            fill()
            if len(kept) % 16 == 1: print('took', took >> 20)
    except OSError as error: print(error)
    # All handles are taken: this process keeps what is open, and a copy of it goes on.
    if took >= wanted << 20: break
    if os.fork() > 0:
        time.sleep(10)
        break
    for one in kept[1:]: one.close()
    del kept[1:]`,
  )
}
