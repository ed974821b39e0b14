import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeSession, programs, startCodeSession } from '../../../test/code-session.ts'
import { childrenOf } from '../../platform/child/processes.ts'
import type { Language } from './code-sandbox.ts'

let session: CodeSession
beforeAll(async () => {
  process.env.SECRET_OF_THE_SERVICE = 'not-for-guests'
  session = await startCodeSession()
})
afterAll(async () => {
  delete process.env.SECRET_OF_THE_SERVICE
  await session.close()
})

const available = (['node', 'python', 'bash'] as const).filter(
  (language) => language !== 'python' || programs.python !== undefined,
)

const whereAvailable = <Row extends [Language, ...string[]]>(rows: Row[]) =>
  rows.filter(([language]) => available.some((name) => name === language))

/** Runs a shell command from code in the given language. Returns everything that it printed. */
async function runShell(language: Language, line: string): Promise<string> {
  const quoted = JSON.stringify(line)
  const code = {
    node: `require('child_process').spawnSync('bash', ['-c', ${quoted}], { stdio: 'inherit' }); undefined`,
    python: `import subprocess\n_ = subprocess.run(['bash', '-c', ${quoted}])`,
    bash: line,
  }
  const { stdout, stderr } = await session.run(language, code[language])
  return stdout + stderr
}

describe.each(available)('code in %s', (language) => {
  it('has no access to files of the service or of the machine', async () => {
    const files = ['/etc/passwd', '/etc/shadow', '/root', '/home', '/var', '/sys', process.cwd()]
    const seen = await runShell(
      language,
      `for file in ${files.join(' ')}; do [ -e "$file" ] && echo "sees $file"; done`,
    )
    expect(seen).toBe('')
  })

  it('cannot read the environment of the service, in its own or in another process', async () => {
    const seen = await runShell(language, 'env; cat /proc/*/environ /proc/*/task/*/environ | tr "\\0" "\\n"')
    expect(seen).toContain('HOME=/tmp/home')
    expect(seen).not.toContain('not-for-guests')
  })

  it('has no access to the machine, the network or a DNS server', async () => {
    const addresses = ['127.0.0.1/22', '127.0.0.1/3128', '10.0.0.1/80', '169.254.169.254/80', '8.8.8.8/53']
    const attempts = addresses.map(
      (address) => `(exec 9<>/dev/tcp/${address}) 2>/dev/null && echo "reached ${address}"`,
    )
    const datagram = '(exec 9<>/dev/udp/8.8.8.8/53) 2>/dev/null && echo "reached by datagram"'
    const name = 'getent hosts example.com && echo resolved'
    expect(await runShell(language, [...attempts, datagram, name].join('; '))).toBe('')
  })

  it.each([
    'unshare -U true',
    'unshare -r true',
    'mount -t tmpfs none /tmp',
    'chroot / true',
    'su -c true',
    'touch /usr/mine',
  ])('cannot %s', async (command) => {
    expect(await runShell(language, `${command} >/dev/null 2>&1 && echo done`)).toBe('')
  })
})

describe('code that exceeds its time limit', () => {
  it.each(
    whereAvailable([
      ['node', 'while (true) {}'],
      ['node', 'await new Promise(() => {})'],
      [
        'node',
        'require("child_process").spawn("sleep", ["1000"], { detached: true }); await new Promise(() => {})',
      ],
      ['python', 'while True: pass'],
      ['bash', 'trap "" TERM INT HUP; (setsid sleep 1000 &); while :; do sleep 1; done'],
    ] as [Language, string][]),
  )('in %s is killed with all its processes: %s', async (language, code) => {
    const before = childrenOf(process.pid).length
    await session.run(language, '1')
    const outcome = await session.run(language, code, 500)
    expect(outcome).toMatchObject({ killed: true, exitCode: 137, result: null })
    expect(session.sandboxes.at(-1)?.residentMegabytes()).toBe(0)
    expect(childrenOf(process.pid).length).toBeLessThanOrEqual(before)
  })

  it('keeps its output, and the page stays open', async () => {
    await session.run('node', 'await page.setContent("<title>Alive</title>")')
    expect((await session.run('node', 'console.log("so far"); while (true) {}', 2000)).stdout).toBe(
      'so far\n',
    )
    expect((await session.run('node', 'await page.title()')).result).toBe('Alive')
  })

  it('is killed when its caller aborts', async () => {
    const abortController = new AbortController()
    const request = { language: 'bash' as const, code: 'sleep 1000', timeoutMs: 60_000 }
    const running = session.runner.run(request, abortController.signal)
    setTimeout(() => abortController.abort(new Error('gone')), 500)
    await expect(running).rejects.toThrow('gone')
    expect((await session.run('bash', 'pgrep sleep || echo none')).stdout).toBe('none\n')
  })
})

describe('code that exceeds a limit', () => {
  it('of processes is limited, and the service continues', async () => {
    await session.run('bash', 'bomb() { bomb | bomb & }; bomb; sleep 1', 5000)
    // A timed-out call ends all processes that are still running.
    await session.run('bash', 'sleep 1000', 500)
    expect((await session.run('bash', 'echo calm')).stdout).toBe('calm\n')
  })

  it.each(
    whereAvailable([
      ['node', 'const kept = []; for (;;) kept.push(Buffer.alloc(50e6, 1))'],
      ['node', 'const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length))'],
      ['python', 'kept = []\nwhile True: kept.append(bytearray(50_000_000))'],
      [
        'bash',
        'for i in 1 2 3 4 5 6 7 8; do node -e "const b = Buffer.alloc(300e6, 1); setTimeout(() => b, 20000)" & done; wait',
      ],
    ] as [Language, string][]),
  )('of memory in %s fails with an error message: %s', async (language, code) => {
    const { exitCode, stderr, killed } = await session.run(language, code, 30_000)
    expect(killed).toBe(false)
    expect(exitCode).toBeGreaterThan(0)
    expect(stderr).toMatch(/memory|MemoryError|allocation/i)
    expect((await session.run(language, language === 'bash' ? 'echo 1' : '1')).exitCode).toBe(0)
    // Remaining background processes would use the memory of the next call; a timed-out call ends them.
    await session.run('bash', 'sleep 1000', 500)
  })

  it.each(
    whereAvailable([
      ['node', 'let names = "kept"; for (let i = 0; i < 100; i++) console.log("x".repeat(1e6))', 'names'],
      ['python', 'names = "kept"\nfor i in range(100): print("x" * 1_000_000)', 'names'],
      ['bash', 'head -c 100000000 /dev/zero | tr "\\0" x', 'true'],
    ] as [Language, string, string][]),
  )('of output in %s gets the first megabyte, and variables persist', async (language, code, after) => {
    if (!available.some((name) => name === language)) return
    const before = process.memoryUsage().rss
    const { stdout, isTruncated, exitCode } = await session.run(language, code, 60_000)
    expect({ length: stdout.length, isTruncated, exitCode }).toEqual({
      length: 1024 * 1024,
      isTruncated: true,
      exitCode: 0,
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(95e6)
    const next = await session.run(language, after)
    expect(next).toMatchObject({
      stdout: '',
      result: language === 'bash' ? null : 'kept',
      isTruncated: false,
    })
  })
})

describe('code that forges', () => {
  const forged = '\\n{"nonce":"00","exitCode":0,"result":"forged"}\\n{"ready":true}\\nended node 0\\n'

  it('a response in Node gets its real response', async () => {
    const code = `require('fs').writeSync(Number(process.argv[2]), '${forged}{"exitCode":0'); throw new Error('real')`
    expect(await session.run('node', code)).toMatchObject({
      ...{ exitCode: 1, result: null, killed: false, stderr: expect.stringContaining('real') },
    })
  })

  it.skipIf(!programs.python)('a response in Python gets its real response', async () => {
    const code = `import os, sys\nos.write(int(sys.argv[1]), b'${forged}{"exitCode":0')\nraise ValueError("real")`
    expect(await session.run('python', code)).toMatchObject({ exitCode: 1, result: null, killed: false })
  })

  it('a response in Bash has no channel to write to', async () => {
    const code = `for fd in /proc/self/fd/* /proc/$PPID/fd/*; do printf '${forged}' >"$fd"; done 2>/dev/null; exit 5`
    expect(await session.run('bash', code)).toMatchObject({ exitCode: 5, killed: false })
  })

  it('an endless response is ignored', async () => {
    const code = `const fs = require('fs')
for (let left = 30_000_000; left > 0; ) {
  try {
    left -= fs.writeSync(Number(process.argv[2]), 'x'.repeat(100_000))
  } catch {
    await new Promise((done) => setTimeout(done, 1))
  }
}
'own'`
    expect(await session.run('node', code)).toMatchObject({ exitCode: 0, result: 'own' })
  })

  it('the end of its sandbox ends it, and the next call starts another', async () => {
    expect(await session.run('bash', 'kill -9 -1')).toMatchObject({
      ...{ exitCode: 137, killed: false, stderr: expect.stringContaining('ended its own sandbox') },
    })
    expect((await session.run('bash', 'echo again')).stdout).toBe('again\n')
  })

  it('the end of its runner ends it, and files are kept', async () => {
    await session.run('bash', 'echo kept > /tmp/kept')
    expect(await session.run('bash', 'kill -9 $PPID; sleep 5')).toMatchObject({
      exitCode: 137,
      killed: false,
    })
    expect((await session.run('bash', 'cat /tmp/kept')).stdout).toBe('kept\n')
  })
})

describe('calls', () => {
  it('of one session run sequentially', async () => {
    const scripts = [1, 2, 3].map(
      (turn) => `echo begin ${turn} >> /tmp/turns; sleep 0.1; echo end ${turn} >> /tmp/turns`,
    )
    await Promise.all(scripts.map((code) => session.run('bash', code)))
    expect((await session.run('bash', 'cat /tmp/turns')).stdout).toBe(
      'begin 1\nend 1\nbegin 2\nend 2\nbegin 3\nend 3\n',
    )
  })

  it('do not get earlier output of background processes', async () => {
    await session.run('bash', '(sleep 0.2; echo late; touch /tmp/late) & echo now')
    const isWritten = 'require("fs").existsSync("/tmp/late")'
    await expect
      .poll(async () => (await session.run('node', isWritten)).result, { timeout: 20_000 })
      .toBe('true')
    expect((await session.run('bash', 'echo mine')).stdout).toBe('mine\n')
  })

  it('end when the session ends', async () => {
    const otherSession = await startCodeSession()
    await otherSession.run('bash', 'true')
    const running = otherSession.run('bash', 'sleep 1000', 60_000)
    await new Promise((resolve) => setTimeout(resolve, 500))
    await otherSession.close()
    expect(await running).toMatchObject({ exitCode: 137, killed: false, stderr: 'The session has ended.\n' })
    await expect(otherSession.run('bash', 'true')).rejects.toMatchObject({ code: 'CODE_NOT_STARTED' })
  })
})
