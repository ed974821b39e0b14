import { clientCall, type SampleRequest } from './client-call.ts'
import { jsonText, pythonText } from './write-value.ts'

interface Sample {
  name: string
  code: string
}

/** Returns code samples of the call. They read the key from the environment, so that users can share them. */
export function buildSamples(sampleRequest: SampleRequest): Sample[] {
  return [
    {
      name: 'curl',
      code:
        sampleRequest.file === undefined ? curl(sampleRequest) : curlFile(sampleRequest, sampleRequest.file),
    },
    {
      name: 'JavaScript',
      code:
        sampleRequest.file === undefined
          ? script(sampleRequest)
          : scriptFile(sampleRequest, sampleRequest.file),
    },
    { name: 'firecrawl', code: clientCall(sampleRequest) },
    {
      name: 'Python',
      code:
        sampleRequest.file === undefined
          ? python(sampleRequest)
          : pythonFile(sampleRequest, sampleRequest.file),
    },
  ]
}

/** Quotes a text for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function curl({ origin, path, body }: SampleRequest): string {
  return `curl ${shellQuote(origin + path)} \\
  -H "Authorization: Bearer $WINNOW_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(jsonText(body))}`
}

function curlFile({ origin, path, body }: SampleRequest, file: string): string {
  return `curl ${shellQuote(origin + path)} \\
  -H "Authorization: Bearer $WINNOW_API_KEY" \\
  -F ${shellQuote(`file=@${file}`)} \\
  -F ${shellQuote(`options=${jsonText(body)};type=application/json`)}`
}

function script({ origin, path, body }: SampleRequest): string {
  return `const answer = await fetch(${JSON.stringify(origin + path)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.WINNOW_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indent(jsonText(body), 2)}),
})
console.log(await answer.json())`
}

function scriptFile({ origin, path, body }: SampleRequest, file: string): string {
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

function python({ origin, path, body }: SampleRequest): string {
  return `import os
import requests

answer = requests.post(
    ${JSON.stringify(origin + path)},
    headers={"Authorization": f"Bearer {os.environ['WINNOW_API_KEY']}"},
    json=${indent(pythonText(body), 4)},
)
print(answer.json())`
}

function pythonFile({ origin, path, body }: SampleRequest, file: string): string {
  return `import json
import os
import requests

with open(${JSON.stringify(file)}, "rb") as file:
    answer = requests.post(
        ${JSON.stringify(origin + path)},
        headers={"Authorization": f"Bearer {os.environ['WINNOW_API_KEY']}"},
        files={"file": file},
        data={"options": json.dumps(${indent(pythonText(body), 8)})},
    )
print(answer.json())`
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
