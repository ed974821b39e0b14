import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeSession, programs, startCodeSession } from '../../../test/code-session.ts'

let session: CodeSession
beforeAll(async () => {
  session = await startCodeSession()
})
afterAll(() => session.close())

const success = { exitCode: 0, killed: false, isTruncated: false, stderr: '' }

describe.skipIf(!programs.python)('code in Python', () => {
  const python = (code: string) => session.run('python', code)

  it.each([
    ['an expression', '1 + 1', '2'],
    ['a string, as it is', '"text"', 'text'],
    ['a dictionary, as JSON', '{"a": [1, "é"]}', '{"a": [1, "é"]}'],
    ['what JSON does not know', '{1}', '{1}'],
    ['what was awaited', 'import asyncio\nawait asyncio.sleep(0, "slept")', 'slept'],
    ['nothing where a statement is last', 'x = 5', null],
    ['nothing for None', 'None', null],
    ['a function string that is called', 'await page.evaluate("() => 1 + 1")', '2'],
    ['a function string with an argument', 'await page.evaluate("([a, b]) => a * b", [6, 7])', '42'],
  ])('returns %s', async (_, code, result) => {
    expect(await python(code)).toEqual({ ...success, stdout: '', result })
  })

  it('truncates a result with wide characters at 2 MB of UTF-16', async () => {
    const { result, isTruncated } = await python('"\\U0001f600" * 2_000_000')
    expect({ length: result?.length, isTruncated }).toEqual({ length: 2 * 1024 * 1024, isTruncated: true })
  })

  it('keeps variables between calls', async () => {
    await python('kept = 5\ndef double(n):\n    return n * 2\nclass Box:\n    size = 3')
    expect((await python('[kept, double(4), Box.size]')).result).toBe('[5, 8, 3]')
  })

  it('accepts locators and keyword options', async () => {
    const code = `await page.set_content('<label>Name <input></label><button onclick="document.title = document.querySelector(\\'input\\').value">Go</button>')
await page.get_by_label("Name").fill("typed", timeout=5000)
await page.get_by_role("button", name="Go").click()
await page.title()`
    expect((await python(code)).result).toBe('typed')
  })

  it('can catch errors of the page as exceptions', async () => {
    const code = `from playwright.async_api import TimeoutError
try:
    await page.click("#nothing", timeout=200)
except TimeoutError:
    print("caught")`
    expect((await python(code)).stdout).toBe('caught\n')
  })

  it.each([
    [
      'throws',
      'def fail():\n    raise ValueError("no")\n\nfail()',
      1,
      /line 4, in <module>\n {4}fail\(\)\n.*line 2, in fail\n {4}raise ValueError\("no"\)\n(.*\n)?ValueError: no\n$/,
    ],
    [
      'cannot be read',
      'foo(',
      1,
      /^ {2}File "<call \d+>", line 1\n {4}foo\(\n {7}\^\nSyntaxError: '\(' was never closed\n$/,
    ],
    ['exits', 'import sys\nsys.exit(3)', 3, /^$/],
    ['exits with a word', 'import sys\nsys.exit("word")', 1, /^word\n$/],
    ['ends its process', 'import os\nos._exit(7)', 7, /^$/],
  ])('reports the error or exit code when it %s', async (_, code, exitCode, stderr) => {
    const outcome = await python(code)
    expect(outcome).toMatchObject({ exitCode, killed: false, result: null })
    expect(outcome.stderr).toMatch(stderr)
  })

  it('gets another page after its own was closed', async () => {
    await python('for open_page in context.pages:\n    await open_page.close()')
    expect((await python('page.url')).result).toBe('about:blank')
  })
})

describe('code in Bash', () => {
  const bash = (code: string) => session.run('bash', code)

  it.each([
    [
      'pipes and usual tools',
      'printf "b\\na\\n" | sort | head -1; echo hi | base64 | base64 -d | sed s/i/o/ | awk "{print \\$1}"',
      'a\nho\n',
    ],
    ['outputs by name', 'echo one > /dev/stdout; echo two > /dev/fd/1', 'one\ntwo\n'],
    [
      'more than one argument may hold',
      `echo ${'x'.repeat(99_000)} | wc -c; : ${'é'.repeat(90_000)}`,
      '99001\n',
    ],
    ['no input', 'cat; echo done', 'done\n'],
    ['Node', 'node -p "1 + 1"', '2\n'],
  ])('supports %s', async (_, code, stdout) => {
    expect(await bash(code)).toEqual({ ...success, result: null, stdout })
  })

  it.each([
    ['false', 1, ''],
    ['exit 42', 42, ''],
    ['missing-command', 127, 'bash: line 1: missing-command: command not found\n'],
    ['kill -9 $$', 137, expect.any(String)],
    ['echo first\nset -e\nfalse\necho second', 1, ''],
  ])('returns the exit code of %s', async (code, exitCode, stderr) => {
    expect(await bash(code)).toMatchObject({ exitCode, stderr, killed: false })
  })

  it('does not wait for background processes', async () => {
    expect(await bash('sleep 1000 & echo started')).toMatchObject({ stdout: 'started\n', exitCode: 0 })
  })

  describe.skipIf(!programs.agentBrowser)('with agent-browser', () => {
    const content = `<button onclick="document.title = 'pressed'">Press</button><input placeholder=Name><p>Some text</p>`
    /** Opens the page and returns the ref of its button. */
    const openContent = async () => {
      await session.run('node', `await page.setContent(${JSON.stringify(content)})`)
      const { stdout } = await bash('agent-browser snapshot -i')
      return /button "Press" \[ref=(e\d+)\]/.exec(stdout)?.[1]
    }

    it('reads and controls the page, and keeps element refs between calls', async () => {
      const button = await openContent()
      expect(button).toBeDefined()
      const { stdout } = await bash(`agent-browser click @${button} >/dev/null && agent-browser get title`)
      expect(stdout).toBe('pressed\n')
    })

    it('supports scrape, find, wait and eval', async () => {
      const button = await openContent()
      for (const [command, expected] of [
        ['scrape', 'Some text'],
        ['find placeholder Name type typed', 'Done'],
        [`wait @${button}`, 'Done'],
        [`eval "document.querySelector('input').value"`, 'typed'],
      ]) {
        const { stdout, exitCode } = await bash(`agent-browser ${command}`)
        expect(exitCode, command).toBe(0)
        expect(stdout, command).toContain(expected)
      }
    })
  })

  it('reports the missing program without agent-browser', async () => {
    const otherSession = await startCodeSession({ python: undefined, agentBrowser: undefined })
    try {
      expect(await otherSession.run('bash', 'agent-browser get title')).toMatchObject({
        ...{ exitCode: 127, stderr: expect.stringContaining('AGENT_BROWSER_PATH') },
      })
      await expect(otherSession.run('python', '1')).rejects.toMatchObject({
        code: 'PYTHON_NOT_CONFIGURED',
        status: 503,
      })
    } finally {
      await otherSession.close()
    }
  })
})

describe('all languages', () => {
  it('share the page and its state', async () => {
    await session.run('node', 'await page.setContent("<title>Shared</title>")')
    if (programs.python) expect((await session.run('python', 'await page.title()')).result).toBe('Shared')
    if (programs.agentBrowser)
      expect((await session.run('bash', 'agent-browser get title')).stdout).toBe('Shared\n')
  })

  it('share their files', async () => {
    await session.run('bash', 'echo from bash > /tmp/note')
    expect((await session.run('node', 'require("fs").readFileSync("/tmp/note", "utf8")')).result).toBe(
      'from bash\n',
    )
    if (programs.python)
      expect((await session.run('python', 'open("/tmp/note").read()')).result).toBe('from bash\n')
  })
})
