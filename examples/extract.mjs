// Extracts the people of a site by a schema, and prints each with the pages that mention them.
// WINNOW_KEY=fc-... node examples/extract.mjs 'https://example.com/team/*'
const base = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const authorization = `Bearer ${process.env.WINNOW_KEY}`
const text = { type: 'string' }
const person = { type: 'object', properties: { name: text, role: text } }

const started = await fetch(`${base}/v2/extract`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({
    urls: [process.argv[2] ?? 'https://example.com/*'],
    schema: { type: 'object', properties: { people: { type: 'array', items: person } } },
    showSources: true,
  }),
})
const { id, error } = await started.json()
if (error) throw new Error(error)

let job = { status: 'processing' }
while (job.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  job = await (await fetch(`${base}/v2/extract/${id}`, { headers: { authorization } })).json()
}
for (const [index, { name, role }] of (job.data.people ?? []).entries())
  process.stdout.write(`${name}, ${role}: ${job.sources[`people[${index}].name`]}\n`)
if (job.warning) process.stderr.write(`${job.warning}\n`)
