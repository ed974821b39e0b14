import { expect, it } from 'vitest'
import { pythonAsync } from './python-async.ts'

const source = `"""The client. The one for asyncio is generated from this file: all goes through _run."""

class Winnow:
    """A Winnow service. A \`with\` statement closes it."""

    def __init__(self, client: httpx.Client) -> None:
        self._transport = Transport(client)

    def job(self) -> PagesJob:
        return PagesJob(self._transport)

    def crawl(
        self, url: str
    ) -> Result:
        job = self.start_crawl(url)
        return job.wait()

    def __iter__(self) -> Iterator[bytes]:
        return self.pages()

    def __enter__(self) -> Self:
        return self

    def __exit__(self) -> None:
        self.close()

    def read(self) -> Iterator[bytes]:
        for chunk in answer.stream.iter_bytes():
            yield chunk
`

it('awaits only calls that reach the service', () => {
  expect(pythonAsync(source)).toBe(`# Generated from the file of this name in _sync by \`npm run generate\`.
"""The client."""

class AsyncWinnow:
    """A Winnow service. An \`async with\` statement closes it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._transport = AsyncTransport(client)

    def job(self) -> AsyncPagesJob:
        return AsyncPagesJob(self._transport)

    async def crawl(
        self, url: str
    ) -> Result:
        job = await self.start_crawl(url)
        return await job.wait()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.pages()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self) -> None:
        await self.close()

    async def read(self) -> AsyncIterator[bytes]:
        async for chunk in answer.stream.aiter_bytes():
            yield chunk
`)
})
