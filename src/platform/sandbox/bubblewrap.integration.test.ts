import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { childrenOf } from '../child/processes.ts'
import type { SandboxedProcess, SandboxedProgram } from '../ports/sandbox.ts'
import { createBubblewrapSandbox, probeSandbox } from './bubblewrap.ts'

const sandbox = createBubblewrapSandbox('/usr/bin/bwrap', { node: process.execPath, hidden: [] })
const started: SandboxedProcess[] = []
afterEach(async () => {
  for (const running of started.splice(0)) await running.kill()
})

const defaults: Omit<SandboxedProgram, 'command'> = {
  environment: { PATH: '/usr/bin:/bin', HOME: '/tmp' },
  readable: [],
  ports: [],
  channels: 0,
  limits: { megabytes: 512, processMegabytes: 1000, threads: 64, filesMegabytes: 16, files: 10_000 },
  nestsSandboxes: false,
}

async function start(command: string[], changes: Partial<SandboxedProgram> = {}): Promise<SandboxedProcess> {
  const running = await sandbox.start({ ...defaults, command, ...changes })
  started.push(running)
  return running
}

/** Runs a script to its end. */
async function bash(script: string, changes: Partial<SandboxedProgram> = {}) {
  const running = await start(['bash', '-c', script], changes)
  const [stdout, stderr, end] = await Promise.all([text(running.stdout), text(running.stderr), running.ended])
  return { stdout, stderr, ...end }
}

const node = (script: string, changes: Partial<SandboxedProgram> = {}) =>
  bash(`exec /run/winnow/node -e '${script}'`, changes)

describe('a program in the sandbox', () => {
  it('returns its output and its exit code', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toMatchObject({
      ...{ stdout: 'out\n', stderr: 'err\n', exitCode: 3 },
    })
  })

  it('sees no file of this machine except the programs of the system', async () => {
    const files = [process.cwd(), '/root', '/home', '/etc/passwd', '/etc/shadow', '/var', '/work', '/sys']
    const { stdout } = await bash(
      `for file in ${files.join(' ')}; do test -e $file && echo $file; done; true`,
    )
    expect(stdout).toBe('')
  })

  it('cannot read the environment of the service or of another process', async () => {
    process.env.WINNOW_SECRET_OF_THIS_TEST = 'secret'
    const { stdout } = await bash('env; cat /proc/*/environ')
    delete process.env.WINNOW_SECRET_OF_THIS_TEST
    expect(stdout).not.toContain('secret')
    expect(stdout).not.toContain(process.env.PATH)
  })

  it('cannot read paths of this machine from the command line of another process', async () => {
    const { stdout } = await bash('cat /proc/*/cmdline')
    expect(stdout).not.toContain(process.execPath)
    expect(stdout).not.toContain(process.cwd())
  })

  it('sees only its own processes', async () => {
    const { stdout } = await bash('ls -d /proc/[0-9]* | wc -l')
    expect(Number(stdout)).toBeLessThan(6)
  })

  it('runs as an unprivileged user without capabilities', async () => {
    const { stdout } = await bash('id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status')
    expect(Number(stdout.split('\n', 1)[0])).toBeGreaterThan(0)
    expect(stdout).toMatch(/CapEff:\s+0+\nCapBnd:\s+0+\nNoNewPrivs:\s+1\nSeccomp:\s+2/)
  })

  it.each([
    'unshare -U true',
    'unshare -r true',
    'mount -t tmpfs none /tmp',
    'chroot / true',
    'mkdir /escape',
    'touch /usr/escape',
    'touch /run/winnow/node',
    'su -c true',
  ])('cannot %s', async (command) => {
    expect((await bash(command)).exitCode).not.toBe(0)
  })

  it('cannot trace another process', async () => {
    const traceScript = 'import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))'
    expect((await bash(`/usr/bin/python3 -c '${traceScript}'`)).stdout).toBe('-1\n')
  })

  it('cannot connect to this machine or to other machines', async () => {
    const connections = [
      'net.connect(3128,"127.0.0.1")',
      'net.connect(80,"10.0.0.1")',
      'net.connect(80,"169.254.169.254")',
      'net.connect(53,"8.8.8.8")',
    ]
    const script = `const net = require("net"); for (const socket of [${connections.join()}]) socket.on("connect", () => console.log("reached")).on("error", () => console.log("refused"))`
    expect((await node(script)).stdout).toBe('refused\n'.repeat(connections.length))
  })

  it('cannot open sockets that a network namespace does not confine', async () => {
    const script =
      'import socket\nfor f in (40, 17, 21, 38):\n  try: socket.socket(f, socket.SOCK_DGRAM); print(f)\n  except OSError as e: print(e.errno)'
    expect((await bash(`/usr/bin/python3 -c '${script}'`)).stdout).toBe('97\n97\n97\n97\n')
  })

  it('exchanges data with the service over its channels', async () => {
    const running = await start(['bash', '-c', 'read line <&3; echo "heard $line" >&3'], { channels: 1 })
    const [channel] = running.channels
    channel?.write('hello\n')
    expect(await text(channel as NodeJS.ReadableStream)).toBe('heard hello\n')
  })

  it('connects to the service at its ports', async () => {
    const ports = [9222, 3128].map((port) => ({
      port,
      maxConnections: 4,
      onConnection: (socket: NodeJS.WritableStream) => void socket.end(`this is ${port}`),
    }))
    const readFrom = (port: number) => `exec 9<>/dev/tcp/127.0.0.1/${port}; cat <&9; echo;`
    expect((await bash(readFrom(9222) + readFrom(3128), { ports })).stdout).toBe(
      'this is 9222\nthis is 3128\n',
    )
  })

  it('inherits no open file and no message channel to the service', async () => {
    const ports = [{ port: 9222, maxConnections: 4, onConnection: () => {} }]
    const { stdout } = await bash('for fd in {3..500}; do test -e /proc/$$/fd/$fd && echo $fd; done; true', {
      ports,
    })
    expect(stdout).toBe('')
  })
})

describe('the limits of a sandbox', () => {
  it('end a program whose processes exceed the memory limit', async () => {
    const { exceeded } = await node(
      'const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 5)',
      { limits: { ...defaults.limits, megabytes: 200, processMegabytes: 4000 } },
    )
    expect(exceeded).toEqual({ limit: 'memory', max: 200 })
  })

  it('deny a process more memory than processMegabytes', async () => {
    const { exitCode, exceeded } = await bash('/usr/bin/python3 -c "x = bytearray(1 << 31)" 2>/dev/null')
    expect({ exitCode, exceeded }).toEqual({ exitCode: 1 })
  })

  it('limit a fork bomb, while another sandbox still starts processes', async () => {
    const bomb = await start(['bash', '-c', 'bomb() { bomb | bomb & }; bomb; sleep 60'])
    bomb.stdout.resume()
    bomb.stderr.resume()
    expect((await bash('for i in 1 2 3; do echo $i | cat; done')).stdout).toBe('1\n2\n3\n')
  })

  it('limit the size of the files that a program writes', async () => {
    const { stdout } = await bash(
      'head -c 100000000 /dev/zero > /tmp/large 2>/dev/null; head -c 100000000 /dev/zero > /dev/shm/large 2>/dev/null; stat -c %s /tmp/large /dev/shm/large',
    )
    for (const size of stdout.trim().split('\n').map(Number)) expect(size).toBeLessThan(17 * 1024 * 1024)
  })
})

describe('the end of a sandbox', () => {
  it('leaves no process, even if processes ignore signals or start a session', async () => {
    const before = childrenOf(process.pid).length
    const running = await start([
      'bash',
      '-c',
      'trap "" TERM; (setsid sleep 1000 &) ; echo up; while :; do :; done',
    ])
    await new Promise((resolve) => running.stdout.once('data', resolve))
    await running.kill()
    expect(childrenOf(process.pid).length).toBe(before)
  })

  it('follows the end of its first program, even if other programs still run', async () => {
    const running = await start(['bash', '-c', 'setsid sleep 1000 & exit 0'])
    expect((await running.ended).exitCode).toBe(0)
  })

  it('can be requested before the program has started, and twice', async () => {
    const running = await start(['sleep', '1000'])
    await Promise.all([running.kill(), running.kill()])
    expect(running.residentMegabytes()).toBe(0)
  })
})

it('a sandbox that does not start returns the reason', async () => {
  const ports = [{ port: 9222, maxConnections: 4, onConnection: () => {} }]
  const readable = [{ from: '/no/such/file', to: '/run/winnow/file' }]
  await expect(sandbox.start({ ...defaults, command: ['true'], ports, readable })).rejects.toMatchObject({
    ...{ code: 'SANDBOX_NOT_CONFIGURED', detail: { reason: expect.stringContaining('/no/such/file') } },
  })
})

describe('probeSandbox', () => {
  it('returns undefined if the sandbox of this machine works', async () => {
    expect(await probeSandbox(sandbox)).toBeUndefined()
  })

  it('returns the reason if bubblewrap is missing', async () => {
    const missing = createBubblewrapSandbox('/no/such/bwrap', { node: process.execPath, hidden: [] })
    expect(await probeSandbox(missing)).toMatch(/bwrap/)
  })
})
