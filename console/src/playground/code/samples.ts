import { type Asked, clientCall } from './client-call.ts'
import { jsonText, pythonText } from './write-value.ts'

interface Sample {
  name: string
  code: string
}

/** The same call in other words. The key is read from the environment, so that it can be shown to others. */
export function samplesOf(asked: Asked): Sample[] {
  return [
    { name: 'curl', code: asked.file === undefined ? curl(asked) : curlFile(asked, asked.file) },
    { name: 'JavaScript', code: asked.file === undefined ? script(asked) : scriptFile(asked, asked.file) },
    { name: 'firecrawl', code: clientCall(asked) },
    { name: 'Python', code: asked.file === undefined ? python(asked) : pythonFile(asked, asked.file) },
  ]
}

/** A text between single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function curl({ origin, path, body }: Asked): string {
  return `curl ${quoted(origin + path)} \\
  -H "Authorization: Bearer $WINNOW_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${quoted(jsonText(body))}`
}

function curlFile({ origin, path, body }: Asked, file: string): string {
  return `curl ${quoted(origin + path)} \\
  -H "Authorization: Bearer $WINNOW_API_KEY" \\
  -F ${quoted(`file=@${file}`)} \\
  -F ${quoted(`options=${jsonText(body)};type=application/json`)}`
}

function script({ origin, path, body }: Asked): string {
  return `const answer = await fetch(${JSON.stringify(origin + path)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.WINNOW_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indented(jsonText(body), 2)}),
})
console.log(await answer.json())`
}

function scriptFile({ origin, path, body }: Asked, file: string): string {
  return `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.append('file', await openAsBlob(${JSON.stringify(file)}), ${JSON.stringify(file)})
form.append('options', JSON.stringify(${jsonText(body)}))
const answer = await fetch(${JSON.stringify(origin + path)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.WINNOW_API_KEY}\` },
  body: form,
})
console.log(await answer.json())`
}

function python({ origin, path, body }: Asked): string {
  return `import os
import requests

answer = requests.post(
    ${JSON.stringify(origin + path)},
    headers={"Authorization": f"Bearer {os.environ['WINNOW_API_KEY']}"},
    json=${indented(pythonText(body), 4)},
)
print(answer.json())`
}

function pythonFile({ origin, path, body }: Asked, file: string): string {
  return `import json
import os
import requests

with open(${JSON.stringify(file)}, "rb") as file:
    answer = requests.post(
        ${JSON.stringify(origin + path)},
        headers={"Authorization": f"Bearer {os.environ['WINNOW_API_KEY']}"},
        files={"file": file},
        data={"options": json.dumps(${indented(pythonText(body), 8)})},
    )
print(answer.json())`
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
