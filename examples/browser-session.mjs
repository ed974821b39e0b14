// Opens a browser session, prints the URL of its live view, runs code in it, and ends it.
// WINNOW_KEY=fc-... node examples/browser-session.mjs https://example.com
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const url = process.argv[2] ?? 'https://example.com'

async function call(method, path, body) {
  const response = await fetch(`${base}/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${process.env.WINNOW_KEY}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const result = await response.json()
  if (!result.success) throw new Error(result.error)
  return result
}

const session = await call('POST', '/browser', { ttl: 120 })
process.stdout.write(`Watch it at ${session.liveViewUrl}\n`)
const code = `await page.goto(${JSON.stringify(url)}); await page.title()`
const { result, error } = await call('POST', `/browser/${session.id}/execute`, { code })
process.stdout.write(`${error ?? result}\n`)
const { sessionDurationMs, creditsBilled } = await call('DELETE', `/browser/${session.id}`)
process.stdout.write(`${sessionDurationMs} ms, ${creditsBilled} credits\n`)
