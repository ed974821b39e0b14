/** Code that tries to leave its sandbox, or to read data outside it. Each attempt prints HIT if it succeeded. */
export interface Attempt {
  name: string
  language: 'node' | 'python' | 'bash'
  code: string
}

const bash = (name: string, code: string): Attempt => ({ name, language: 'bash', code })

/** Returns an attempt to run a command that must fail. */
const command = (line: string): Attempt => bash(line, `if ${line} >/dev/null 2>&1; then echo HIT; fi`)

/** Runs code with the system's Python, which exists even if no environment for code is installed. */
const python = (name: string, code: string): Attempt =>
  bash(
    name,
    `/usr/bin/python3 -u - <<'END'\nimport ctypes, errno, os, socket, struct, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n${code}\nEND`,
  )

/** Returns an attempt to make a system call. The call must fail, which -1 indicates. */
const systemCall = (name: string, number: Record<string, number>, parameters: string): Attempt =>
  python(
    `the call ${name}`,
    `number = {'x86_64': ${number.x64}, 'aarch64': ${number.arm64}}[os.uname().machine]
if libc.syscall(number, ${parameters}) >= 0: print('HIT')`,
  )

/** Returns an attempt to create a socket of a kind that must not be available. */
const socketKind = (name: string, family: number, type: number, protocol = 0): Attempt =>
  python(
    `a socket of the kind ${name}`,
    `try: socket.socket(${family}, ${type}, ${protocol}); print('HIT')
except OSError: pass`,
  )

const connectTo = (host: string, port: number): Attempt =>
  python(
    `a connection to ${host}:${port}`,
    `try:
    socket.create_connection(('${host}', ${port}), timeout=2)
    print('HIT')
except OSError: pass`,
  )

/** Returns an attempt to read a file whose text must not be readable. */
const readPath = (path: string): Attempt =>
  bash(
    `reading ${path}`,
    `for file in ${path}; do [[ -n $(head -c 100 "$file" 2>/dev/null | tr -d '\\0') ]] && echo "HIT $file"; done; true`,
  )

const newest = (number: number) => ({ x64: number, arm64: number })

/**
 * Returns all attempts. `secrets` contains text of the service that must not appear in the sandbox: folders, key,
 * settings.
 */
export const attempts = (secrets: { words: string[]; port: number }): Attempt[] => [
  systemCall('mount', { x64: 165, arm64: 40 }, "b'none', b'/tmp', b'tmpfs', 0, None"),
  systemCall('umount2', { x64: 166, arm64: 39 }, "b'/usr', 2"),
  systemCall('pivot_root', { x64: 155, arm64: 41 }, "b'/tmp', b'/tmp'"),
  systemCall('chroot', { x64: 161, arm64: 51 }, "b'/tmp'"),
  systemCall('ptrace', { x64: 101, arm64: 117 }, '16, 1, 0, 0'),
  systemCall('process_vm_readv', { x64: 310, arm64: 270 }, '1, None, 0, None, 0, 0'),
  ...['mounts 0x20000', 'cgroups 0x2000000', 'names 0x4000000', 'messages 0x8000000', 'users 0x10000000'].map(
    (kind) => systemCall(`unshare of ${kind}`, { x64: 272, arm64: 97 }, String(kind.split(' ')[1])),
  ),
  ...['processes 0x20000000', 'network 0x40000000', 'users and mounts 0x10020000'].map((kind) =>
    systemCall(`unshare of ${kind}`, { x64: 272, arm64: 97 }, String(kind.split(' ').at(-1))),
  ),
  systemCall(
    'clone into a new user namespace',
    { x64: 56, arm64: 220 },
    '0x10000011, None, None, None, None',
  ),
  systemCall('clone3', newest(435), 'None, 0'),
  systemCall('setns', { x64: 308, arm64: 268 }, "os.open('/proc/self/ns/mnt', 0), 0"),
  systemCall('keyctl', { x64: 250, arm64: 219 }, '0, -3, 1'),
  systemCall('add_key', { x64: 248, arm64: 217 }, "b'user', b'a', b'b', 1, -3"),
  systemCall('request_key', { x64: 249, arm64: 218 }, "b'user', b'a', None, -3"),
  systemCall('bpf', { x64: 321, arm64: 280 }, '0, ctypes.create_string_buffer(128), 128'),
  systemCall('perf_event_open', { x64: 298, arm64: 241 }, 'ctypes.create_string_buffer(128), 0, -1, -1, 0'),
  systemCall('kexec_load', { x64: 246, arm64: 104 }, '0, 0, None, 0'),
  systemCall('init_module', { x64: 175, arm64: 105 }, "b'', 0, b''"),
  systemCall('finit_module', { x64: 313, arm64: 273 }, "0, b'', 0"),
  systemCall('reboot', { x64: 169, arm64: 142 }, '0xfee1dead, 672274793, 0, 0'),
  systemCall('swapon', { x64: 167, arm64: 224 }, "b'/tmp/none', 0"),
  systemCall('userfaultfd', { x64: 323, arm64: 282 }, '1'),
  systemCall('io_uring_setup', newest(425), '8, ctypes.create_string_buffer(128)'),
  systemCall('open_by_handle_at', { x64: 304, arm64: 265 }, '0, ctypes.create_string_buffer(16), 0'),
  systemCall('open_tree', newest(428), "-100, b'/', 1"),
  systemCall('fsopen', newest(430), "b'tmpfs', 0"),
  systemCall('mount_setattr', newest(442), "-100, b'/', 0, ctypes.create_string_buffer(32), 32"),
  systemCall('pidfd_getfd', newest(438), '0, 0, 0'),
  systemCall(
    'listmount',
    newest(458),
    'ctypes.create_string_buffer(32), ctypes.create_string_buffer(512), 64, 0',
  ),
  systemCall('memfd_create', { x64: 319, arm64: 279 }, "b'a', 0"),
  systemCall('setuid to root', { x64: 105, arm64: 146 }, '0'),
  systemCall('setgid to root', { x64: 106, arm64: 144 }, '0'),
  systemCall('mknod of a disk', { x64: 259, arm64: 33 }, "-100, b'/tmp/disk', 0o060600, 0x800"),
  systemCall('a call of the second set of numbers', newest(0x40000000 + 39), '0'),
  socketKind('packet', 17, 3, 768),
  socketKind('raw', 2, 3, 1),
  socketKind('raw of IPv6', 10, 3, 58),
  socketKind('virtual machine', 40, 1),
  socketKind('encryption', 38, 5),
  socketKind('kernel communication', 21, 5),
  socketKind('bluetooth', 31, 3),
  ...[
    '127.0.0.2',
    '10.0.0.1',
    '172.17.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '8.8.8.8',
    '::ffff:10.0.0.1',
  ].map((host) => connectTo(host, 80)),
  connectTo('127.0.0.1', secrets.port),
  connectTo('127.0.0.1', 3128),
  connectTo('127.0.0.1', 22),
  connectTo('localhost', secrets.port),
  bash('a name that is looked up', 'getent hosts example.com && echo HIT; true'),
  python(
    'the addresses of the machine, asked by netlink',
    `asking = socket.socket(16, 3, 0)
asking.send(struct.pack('=IHHII', 20, 22, 0x301, 1, 0) + b'\\0' * 4)
answer = asking.recv(65536)
if len(answer) > 400: print('HIT', len(answer))`,
  ),
  readPath('/etc/passwd'),
  readPath('/etc/shadow'),
  readPath('/etc/hostname'),
  readPath('/etc/resolv.conf'),
  readPath('/root/.* /home/*/.* /var/log/* /srv/* /opt/*'),
  readPath('/sys/class/net/*/address /sys/fs/cgroup/* /sys/kernel/*'),
  readPath('/proc/kcore'),
  readPath('/proc/kmsg /dev/kmsg /dev/mem'),
  readPath('/proc/self/mounts'),
  readPath('/proc/*/mountinfo'),
  readPath('/proc/*/task/*/mounts /proc/mounts'),
  readPath('/proc/1/root/etc/passwd /proc/1/cwd/../../../etc/shadow'),
  readPath('/run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket'),
  readPath('/dev/sda /dev/vda /dev/nvme0n1 /dev/loop0'),
  bash('a link to a place outside', 'ln -s /etc/shadow /tmp/link; [[ -s /tmp/link ]] && echo HIT; true'),
  bash('a way up from its folder', '[[ -e /tmp/../../../../../../etc/passwd ]] && echo HIT; true'),
  bash('more processes than its own', '(($(ls -d /proc/[0-9]* | wc -l) > 60)) && echo HIT; true'),
  bash(
    'signals to others',
    'for pid in $(seq 500 3000); do kill -0 $pid 2>/dev/null && [[ ! -d /proc/$pid ]] && echo HIT; done; true',
  ),
  bash(
    'words of the service, anywhere in what /proc shows of processes',
    // The words are in a file. As arguments of grep they would appear in /proc, and grep would find itself.
    `printf '%s\\n' ${secrets.words.map((word) => `'${word}'`).join(' ')} > /tmp/words
find() { grep -aFf /tmp/words | head -3 | sed 's/^/HIT /'; }
cat /proc/*/environ /proc/*/cmdline /proc/*/maps /proc/*/mountinfo /proc/*/task/*/comm /proc/*/cgroup 2>/dev/null | tr '\\0' '\\n' | find
ls -l /proc/*/fd/ /proc/*/cwd /proc/*/root /proc/*/exe 2>/dev/null | find
rm /tmp/words`,
  ),
  bash(
    'capabilities',
    "grep -E '^Cap(Eff|Prm|Bnd|Amb|Inh)' /proc/self/status | grep -v 0000000000000000 && echo HIT; grep -q 'NoNewPrivs:.1' /proc/self/status || echo HIT; grep -q 'Seccomp:.2' /proc/self/status || echo HIT; [[ $(id -u) == 0 ]] && echo HIT; true",
  ),
  bash(
    'a program with the rights of its owner',
    'cp /usr/bin/id /tmp/id; chmod 6755 /tmp/id; [[ $(/tmp/id -u) == 0 ]] && echo HIT; for program in $(find /usr/bin /usr/sbin -perm -4000 2>/dev/null); do echo | timeout 1 $program -c id 2>/dev/null | grep -q "uid=0" && echo "HIT $program"; done; true',
  ),
  ...[
    '/usr/mine',
    '/mine',
    '/etc/mine',
    '/run/winnow/mine',
    '/run/mine',
    '/dev/mine',
    '/proc/mine',
    '/proc/sys/kernel/hostname',
  ].map((path) => command(`bash -c 'echo mine > ${path}'`)),
  ...[
    'unshare -U true',
    'unshare -r true',
    'unshare -m true',
    'mount -t tmpfs none /tmp',
    'su -c true',
    'chroot / true',
  ].map(command),
  ...[
    'nsenter -t 1 -m true',
    'mount --bind /tmp /usr',
    'hostname mine',
    'sysctl -w net.ipv4.ip_forward=1',
    'renice -n -10 $$',
  ].map(command),
  {
    name: 'secrets of the service by its own modules',
    language: 'node',
    code: `Object.values(process.env).concat(process.execPath, process.argv, require.resolve('playwright-core')).some((text) => ${JSON.stringify(secrets.words)}.some((word) => text.includes(word))) ? 'HIT' : ''`,
  },
  {
    name: 'a file by the page of its browser',
    language: 'node',
    code: `let text = ''
for (const url of ['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://version', 'file:///proc/self/mountinfo']) {
  try { await page.goto(url, { timeout: 3000 }); text += await page.content() } catch {}
}
/root:|Command Line|tmpfs/.test(text) ? 'HIT' : ''`,
  },
  {
    name: 'the machine by the page of its browser',
    language: 'node',
    code: `let text = ''
for (const url of ['http://127.0.0.1:${secrets.port}/health/live', 'http://localhost:${secrets.port}/', 'http://169.254.169.254/', 'http://[::1]:${secrets.port}/']) {
  try { const answer = await page.goto(url, { timeout: 3000 }); text += answer.status() === 200 ? 'HIT' : '' } catch {}
}
text`,
  },
]
