// Saves the browser storage of a site between scrapes in a named profile, and then deletes the profile.
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
  const result = await response.json()
  if (!result.success) {
    // PROFILE_IN_USE: another scrape or session has the profile open for saving; heldBy identifies it.
    process.stderr.write(`${response.status} ${result.code}: ${result.error}\n`)
    process.exit(1)
  }
  return result.data
}

const script =
  "localStorage.setItem('visits', Number(localStorage.getItem('visits') ?? 0) + 1); return localStorage.getItem('visits')"
const actions = [{ type: 'executeJavascript', script }]
for (const saveChanges of [true, true, false]) {
  const { actions: results } = await call('POST', '/v2/scrape', {
    url,
    profile: { name, saveChanges },
    actions,
  })
  process.stdout.write(`visits: ${results.javascriptReturns[0].value}\n`)
}
await call('DELETE', `/v2/browser/profiles/${encodeURIComponent(name)}`)
