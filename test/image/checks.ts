import type { Container } from './container.ts'

export interface Check {
  what: string
  saw: string
  holds: boolean
}

interface Scene {
  container: Container
  site: string
}

type RunCheck = (scene: Scene) => Promise<Omit<Check, 'what'>>

/** Features that need settings which no image contains: a language model, a key of a search engine. */
const needsSettings = new Set(['agent', 'language model'])

/** Checks of the image by name. Each returns the observed result. */
const imageChecks: Record<string, RunCheck> = {
  'runs as': async ({ container }) => {
    const saw = container.inside('id')
    return { saw, holds: saw.startsWith('uid=1000(node)') }
  },
  'capabilities of the first process': async ({ container }) => {
    const saw = container.inside(
      'grep',
      '--extended-regexp',
      '^(CapEff|NoNewPrivs|Seccomp):',
      '/proc/1/status',
    )
    return { saw: saw.replace(/\s+/g, ' '), holds: /CapEff:\s+0+\s+NoNewPrivs:\s+1\s+Seccomp:\s+2/.test(saw) }
  },
  scrape: async ({ container, site }) => {
    const { status, body } = await ask(container, '/v2/scrape', { url: `${site}/pages/3`, maxAge: 0 })
    const engine = body.data?.metadata?.engine ?? body.data?.metadata?.statusCode
    return {
      saw: `${status} ${firstLine(body.data?.markdown)} (${engine})`,
      holds: /3/.test(body.data?.markdown),
    }
  },
  'page that needs JavaScript': async ({ container, site }) => {
    const { status, body } = await ask(container, '/v2/scrape', { url: `${site}/app`, maxAge: 0 })
    const text: string = body.data?.markdown ?? JSON.stringify(body)
    return { saw: `${status} ${firstLine(text)}`, holds: text.includes('Loaded late') }
  },
  screenshot: async ({ container, site }) => {
    const formats = ['screenshot']
    const { body } = await ask(container, '/v2/scrape', { url: `${site}/pages/3`, formats, maxAge: 0 })
    const bytes = await bytesOf(body.data?.screenshot)
    const isPng = bytes.subarray(1, 4).toString() === 'PNG'
    return { saw: `${bytes.length} bytes of PNG: ${isPng}`, holds: isPng && bytes.length > 2000 }
  },
  ...Object.fromEntries(
    Object.entries({
      node: 'console.log(process.version, await page.title())',
      python: 'import sys; print(sys.version.split()[0], await page.title())',
      bash: 'id -u; agent-browser get title; ls /app 2>&1',
    }).map(([language, code]) => [`execute ${language}`, createExecuteCheck(language, code)]),
  ),
  'sandbox of Chromium': async ({ container }) => {
    const warnings = container
      .logs()
      .split('\n')
      .filter((line) => line.includes('own sandbox'))
    return { saw: warnings[0] ?? 'no warning', holds: warnings.length === 0 }
  },
  'features that do not work': async ({ container }) => {
    const response = await fetch(`${container.url}/v2/capabilities`, { headers: bearer(container) })
    const { features } = (await response.json()) as { features: { name: string; available: boolean }[] }
    const missing = features.filter(({ available }) => !available).map(({ name }) => name)
    return { saw: missing.join(', '), holds: missing.every((name) => needsSettings.has(name)) }
  },
}

function createExecuteCheck(language: string, code: string): RunCheck {
  return async ({ container, site }) => {
    const session = await ask(container, '/v2/browser', { ttl: 120 })
    const execute = (body: object) => ask(container, `/v2/browser/${session.body.id}/execute`, body)
    const navigation = await execute({
      code: `await page.goto('${site}/pages/3')`,
      language: 'node',
      timeout: 60,
    })
    const { body } = await execute({ code, language, timeout: 60 })
    await ask(container, `/v2/browser/${session.body.id}`, undefined, 'DELETE')
    const saw = body.stdout ? oneLine(body.stdout) : JSON.stringify([session.body, navigation.body, body])
    return { saw, holds: body.success === true && /3/.test(body.stdout) }
  }
}

export async function look(scene: Scene): Promise<Check[]> {
  const checks: Check[] = []
  for (const [what, runCheck] of Object.entries(imageChecks)) {
    const outcome = await runCheck(scene).catch((error) => ({ saw: String(error), holds: false }))
    console.log(`${outcome.holds ? 'ok    ' : 'FAILED'} ${what}: ${outcome.saw}`)
    checks.push({ what, ...outcome })
  }
  return checks
}

const bearer = ({ key }: Container) => ({ authorization: `Bearer ${key}` })

async function ask(container: Container, path: string, body: object | undefined, method = 'POST') {
  const asJson = body ? { 'content-type': 'application/json' } : {}
  const response = await fetch(container.url + path, {
    method,
    headers: { ...bearer(container), ...asJson },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: await response.json() }
}

async function bytesOf(url: string | undefined): Promise<Buffer> {
  if (!url) return Buffer.alloc(0)
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

const firstLine = (text: unknown) => String(text).split('\n', 1)[0] ?? ''
const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' | ')
