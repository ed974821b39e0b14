/**
 * Uses the client as a program does. Node, Deno and Bun run this module, and a page imports it.
 * @param {typeof import('../../client/src/index.ts')} library
 * @param {{ url: string, key: string, site: string }} options
 */
export async function probe(library, { url, key, site }) {
  const { Winnow, verifyWebhook } = library
  const winnow = new Winnow({ baseUrl: url, apiKey: key })
  const page = await winnow.scrape(`${site}/pages/1`, { formats: ['markdown', 'links'] })
  const file = await winnow.parse({ data: '<h1>Lamps</h1><p>They burn.</p>', name: 'lamps.html' })
  const job = await winnow.startBatch([`${site}/pages/1`, `${site}/pages/2`, `${site}/pages/3`])
  const paths = []
  for await (const { metadata } of job.pages({ pageSize: 2 })) paths.push(new URL(metadata.url).pathname)
  const lines = await new Response(await job.download('jsonl')).text()
  const rejection = await new Winnow({ baseUrl: url, apiKey: 'fc-nobody' }).team().catch((error) => error)
  const unreachable = new Winnow({ baseUrl: 'http://127.0.0.1:9', retries: 1 })
  const connectionError = await unreachable.team().catch((error) => error)
  const abortController = new AbortController()
  const aborted = winnow
    .scrape(`${site}/hang`, { maxAge: 0 }, { signal: abortController.signal })
    .catch((error) => error)
  setTimeout(() => abortController.abort(), 100)
  const body = '{"type":"crawl.page"}'
  const signatureError = await verifyWebhook(body, `sha256=${'0'.repeat(64)}`, 'secret').catch(
    (error) => error,
  )
  return {
    title: typeof page.metadata.title,
    hasMarkdownAndLinks: page.markdown.length > 0 && page.links.length > 0,
    file: file.markdown.includes('# Lamps'),
    paths: paths.sort(),
    lines: lines.trim().split('\n').length,
    authenticationError: [
      rejection instanceof library.AuthenticationError,
      rejection.code,
      rejection.requestId.length,
    ],
    connectionError: [
      connectionError instanceof library.ConnectionError,
      connectionError.code,
      connectionError.attempts,
    ],
    aborted: (await aborted).name,
    webhook: [signatureError instanceof library.WebhookSignatureError, signatureError.reason],
    signed: (await verifyWebhook(body, `sha256=${await hmac(body, 'secret')}`, 'secret')).type,
  }
}

async function hmac(text, secret) {
  const encode = (value) => new TextEncoder().encode(value)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)))
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
