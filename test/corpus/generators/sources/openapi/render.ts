import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

/**
 * Renders the description in several viewers and stores the HTML of the browser: `node render.ts PACKAGES OUT
 * CHROMIUM`.
 */
const [packages = '', out = '', executablePath = ''] = process.argv.slice(2)

const page = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Skerry Gauge API</title>${head}</head><body>${body}</body></html>`

const swagger = (expansion: string) =>
  page(
    '<link rel="stylesheet" href="/swagger-ui-dist/swagger-ui.css">',
    `<div id="swagger-ui"></div><script src="/swagger-ui-dist/swagger-ui-bundle.js"></script><script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', docExpansion: '${expansion}' })</script>`,
  )

const viewers: Record<string, { html: string; sign: string }> = {
  'swagger-ui': { html: swagger('list'), sign: '.opblock-summary' },
  'swagger-ui-open': { html: swagger('full'), sign: '.parameters' },
  redoc: {
    html: page(
      '',
      '<redoc spec-url="/openapi.json"></redoc><script src="/redoc/bundles/redoc.standalone.js"></script>',
    ),
    sign: '[data-section-id]',
  },
  scalar: {
    html: page(
      '',
      '<script id="api-reference" data-url="/openapi.json"></script><script src="/@scalar/api-reference/dist/browser/standalone.js"></script>',
    ),
    sign: 'main h1, .section h1, h1',
  },
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://x').pathname
  const viewer = viewers[path.slice(1)]
  const file = path === '/openapi.json' ? join(import.meta.dirname, 'openapi.json') : join(packages, path)
  response.setHeader(
    'content-type',
    viewer ? 'text/html' : (types[extname(file)] ?? 'application/octet-stream'),
  )
  try {
    response.end(viewer?.html ?? readFileSync(file))
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const [name, { sign }] of Object.entries(viewers)) {
  const tab = await browser.newPage()
  await tab.goto(`http://127.0.0.1:${port}/${name}`)
  await tab.waitForSelector(sign, { timeout: 30_000 })
  // Some viewers render only content in the viewport.
  for (let step = 0; step < 12; step += 1) {
    await tab.mouse.wheel(0, 800)
    await tab.waitForTimeout(400)
  }
  const html = await tab.content()
  writeFileSync(
    join(out, `${name}.html`),
    html.replaceAll(`http://127.0.0.1:${port}`, 'https://api.skerry.test'),
  )
}
await browser.close()
server.close()
