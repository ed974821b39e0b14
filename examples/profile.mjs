// Keeps what a site stores in the browser between two scrapes, under a name; then deletes it.
// WINNOW_KEY=fc-... node examples/profile.mjs https://example.com shop
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''
const [url = 'https://example.com', name = 'shop'] = process.argv.slice(2)

const call = async (method, path, body) => {
  const response = await fetch(service + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (!answer.success) {
    // PROFILE_IN_USE: another scrape or session may save the profile now; heldBy names it.
    process.stderr.write(`${response.status} ${answer.code}: ${answer.error}\n`)
    process.exit(1)
  }
  return answer.data
}

const counting =
  "localStorage.setItem('visits', Number(localStorage.getItem('visits') ?? 0) + 1); return localStorage.getItem('visits')"
const actions = [{ type: 'executeJavascript', script: counting }]
for (const saveChanges of [true, true, false]) {
  const { actions: results } = await call('POST', '/v2/scrape', {
    url,
    profile: { name, saveChanges },
    actions,
  })
  process.stdout.write(`visits: ${results.javascriptReturns[0].value}\n`)
}
await call('DELETE', `/v2/browser/profiles/${encodeURIComponent(name)}`)
