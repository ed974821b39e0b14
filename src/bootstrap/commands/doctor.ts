import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createHttpClient } from '../../fetch/network/client.ts'
import { createGuard } from '../../fetch/network/guard.ts'
import type { AddressRule } from '../../platform/address-rule.ts'
import { AppError } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { findWrongBalances } from '../../store/credits.ts'
import { takeFromWindow } from '../../store/rates.ts'
import type { Store } from '../../store/schema.ts'
import { openOnePage } from '../browser.ts'
import { isScript, openSharedModel, testModel } from '../model.ts'
import { checkBlobs } from '../readiness.ts'
import { findSandboxProblem } from '../sessions.ts'
import type { Settings } from '../settings.ts'
import { openStore } from '../store.ts'

interface CheckResult {
  part: string
  state: 'works' | 'missing' | 'broken'
  note: string
}

/** Not a failure: the service runs without the part and reports its absence. */
class MissingPart extends Error {}

const run = promisify(execFile)
const playwrightVersion =
  'import importlib.metadata, playwright.async_api; print("with Playwright", importlib.metadata.version("playwright"))'

export async function doctor(settings: Settings): Promise<void> {
  const { store, blobs } = await openStore(settings, createLog({ ...settings.log, level: 'error' }))
  const findings = [
    await runCheck('store', () => checkStore(store)),
    await runCheck('ledger', () => checkLedger(store)),
    await runCheck('blobs', () => checkBlobs(blobs).then(() => 'write, read, delete')),
    await runCheck('fetching', checkFetching),
    await runCheck('network guard', checkGuard),
    ...(await checkBrowser(settings.chromiumPath)),
    await runCheck('sandbox', () => checkSandbox(settings)),
    await runCheck('Python', () =>
      checkTool(settings.pythonPath, ['-c', playwrightVersion], 'set PYTHON_PATH, or install python3-venv'),
    ),
    await runCheck('agent-browser', () =>
      checkTool(settings.agentBrowserPath, ['--version'], 'set AGENT_BROWSER_PATH'),
    ),
    await runCheck('OCR', () =>
      checkTool(settings.tesseractPath, ['--version'], 'install tesseract-ocr, or set TESSERACT_PATH'),
    ),
    await checkModel(settings),
    await runCheck('audio', () =>
      checkTool(settings.ffmpegPath, ['-version'], 'install ffmpeg, or set FFMPEG_PATH'),
    ),
  ]
  await store.close()
  const symbols = { works: '✓', missing: '·', broken: '✗' }
  const lines = findings.map(({ part, state, note }) => `  ${symbols[state]} ${part.padEnd(15)} ${note}`)
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
  if (findings.some((finding) => finding.state === 'broken')) process.exitCode = 1
}

async function checkBrowser(path: string | undefined): Promise<CheckResult[]> {
  if (path === undefined)
    return [
      { part: 'browser', state: 'missing', note: 'not found; set CHROMIUM_PATH, or start once as root' },
    ]
  const pageCheck = await runCheck('browser', () =>
    withPage(async (url) => {
      const { version, text } = await openOnePage(path, { url, allowed: [allowOnly(url)] })
      if (!text.includes('winnow')) throw new Error('the page was returned without its text')
      return `${path} ${version} opened a page`
    }),
  )
  if (pageCheck.state === 'broken') return [pageCheck]
  const guardCheck = await runCheck('browser guard', () =>
    withPage(async (url, visits) => {
      await openOnePage(path, { url, allowed: [] })
      if (visits() > 0) throw new Error('a page reached a local address although nothing allows it')
      return 'the browser blocks a local address'
    }),
  )
  return [pageCheck, guardCheck]
}

async function checkSandbox(settings: Settings): Promise<string> {
  const problem = await findSandboxProblem(settings)
  if (problem === undefined) return `${settings.bubblewrapPath} ran a program in isolation`
  throw new MissingPart(
    `does not work: ${problem}; install bubblewrap, or set BUBBLEWRAP_PATH; in a container see docs/self-hosting.md#container`,
  )
}

/** A model that does not respond is reported as missing, because the service runs without it. */
async function checkModel(settings: Settings): Promise<CheckResult> {
  const part = 'language model'
  const model = await openSharedModel(settings)
  if (!model || !settings.model)
    return { part, state: 'missing', note: 'not configured; set MODEL_URL, MODEL_KEY and MODEL_NAME' }
  if (isScript(settings)) return { part, state: 'works', note: 'answers are played from a file' }
  const { protocol, timeoutMs } = settings.model
  const result = await testModel(model, AbortSignal.timeout(timeoutMs))
  const configured = `${model.name} by ${protocol}`
  if (result.is !== 'working')
    return { part, state: 'missing', note: `${configured} does not answer: ${result.reason}` }
  const schemas = result.isStrict ? 'with strict schemas' : 'without strict schemas'
  return { part, state: 'works', note: `${configured} answered, ${schemas}` }
}

function allowOnly(url: URL): AddressRule {
  return { form: 'network', address: '127.0.0.1', family: 'ipv4', prefix: 32, port: Number(url.port) }
}

async function runCheck(part: string, checkPart: () => Promise<string>): Promise<CheckResult> {
  try {
    return { part, state: 'works', note: await checkPart() }
  } catch (thrown) {
    const state = thrown instanceof MissingPart ? 'missing' : 'broken'
    return { part, state, note: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

async function checkTool(command: string | undefined, args: string[], advice: string): Promise<string> {
  if (command === undefined) throw new MissingPart(`not found; ${advice}`)
  try {
    const { stdout, stderr } = await run(command, args, { timeout: 20_000 })
    return `${command} ${(stdout || stderr).split('\n')[0] ?? ''}`.trim()
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      throw new MissingPart(`not found; ${advice}`)
    const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)
    throw new MissingPart(`found, but does not run: ${reason}`)
  }
}

async function checkStore(store: Store): Promise<string> {
  const counted = await takeFromWindow(store.query, { teamId: '', lane: 'doctor', minute: 0 }, 1)
  if (counted < 1) throw new Error('the data read differs from the data written')
  return `${store.dialect} reads and writes`
}

async function checkLedger(store: Store): Promise<string> {
  const wrongBalances = await findWrongBalances(store.query)
  if (wrongBalances.length === 0) return 'every balance is the sum of its entries'
  throw new Error(
    `balances that are not the sum of their entries: ${wrongBalances.map((team) => team.name).join(', ')}`,
  )
}

async function checkFetching(): Promise<string> {
  return withPage(async (url) => {
    const html = await fetchPage(createGuard([allowOnly(url)]), url)
    if (!html.includes('winnow')) throw new Error('the page was returned without its text')
    return 'a page served here was fetched'
  })
}

async function checkGuard(): Promise<string> {
  return withPage(async (url) => {
    try {
      await fetchPage(createGuard([]), url)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'TARGET_FORBIDDEN')
        return 'a local address is blocked'
      throw thrown
    }
    throw new Error('a local address was fetched although nothing allows it')
  })
}

async function fetchPage(guard: ReturnType<typeof createGuard>, url: URL): Promise<string> {
  const client = createHttpClient(guard)
  try {
    const request = {
      owner: { team: '', job: 'doctor' },
      url,
      headers: {},
      callerHeaders: {},
      verifyTls: true,
      bound: () => ({ bound: 'the page of the doctor', bytes: 10_000 }),
    }
    const page = await client.get(request, AbortSignal.timeout(5000))
    return Buffer.from(page.bytes).toString()
  } finally {
    await client.close()
  }
}

async function withPage<Result>(use: (url: URL, visits: () => number) => Promise<Result>): Promise<Result> {
  let visits = 0
  const server = createServer((_, response) => {
    visits += 1
    response.setHeader('content-type', 'text/html').end('<p>winnow</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // The cast is safe: a listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo
    return await use(new URL(`http://127.0.0.1:${port}/`), () => visits)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
