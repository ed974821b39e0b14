/** Files of the synchronous Python client from which the asyncio client is generated. */
export const pythonAsyncFiles = ['__init__', 'browser', 'client', 'jobs', 'operator']

const replacements: [RegExp, string][] = [
  [/\bclass Winnow\b/g, 'class AsyncWinnow'],
  [/\b(PagesJob|ExtractJob|AgentJob|BrowserSession|Operator|Transport|Iterator)\b/g, 'Async$1'],
  [/\bhttpx\.Client\b/g, 'httpx.AsyncClient'],
  [/\b__(iter|enter|exit)__\b/g, '__a$1__'],
  [/\bAn? `with` statement\b/g, 'An `async with` statement'],
  [/\bstream\.(close|iter_bytes)\b/g, 'stream.a$1'],
  [/\bfor chunk in\b/g, 'async for chunk in'],
  [/^"""(.*) The one for asyncio is generated from this file.*"""$/gm, '"""$1"""'],
]

/** Matches calls that send a request to the service or wait for a response. */
const awaitedCalls =
  /(?<!\bdef )\b(self\.(?:_run|_status|_wait|close|start_\w+|_transport\.(?:run|close))|job\.wait|answer\.stream\.aclose)\(/g

/** Converts the source of a synchronous file to asyncio. */
export function pythonAsync(source: string): string {
  const text = replacements.reduce((result, [from, to]) => result.replace(from, to), source)
  const blocks = text.split(/^(?= {4}(?:def|@)\b)/m)
  const converted = blocks.map((block) => {
    const changed = block.replace(awaitedCalls, 'await $1(')
    const isAwaited = changed !== block || /def __aenter__|async for/.test(changed)
    return isAwaited ? changed.replace(/^ {4}def /m, '    async def ') : changed
  })
  return `# Generated from the file of this name in _sync by \`npm run generate\`.\n${converted.join('')}`
}
