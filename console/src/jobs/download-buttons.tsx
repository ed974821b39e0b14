import { useMutation } from '@tanstack/react-query'
import { open } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { ActionFailure } from './action-failure.tsx'

const formats = [
  { format: 'jsonl', name: 'JSONL', title: 'One document per line' },
  { format: 'csv', name: 'CSV', title: 'Table of pages' },
  { format: 'zip', name: 'Zip', title: 'Folder of Markdown files' },
]

/** The documents of a job as a file. */
export function DownloadButtons({ path }: { path: string }) {
  const download = useMutation({ mutationFn: (format: string) => save(path, format) })
  return (
    <>
      <fieldset className="row bare">
        <legend className="hidden">Download</legend>
        {formats.map(({ format, name, title }) => (
          <Button
            key={format}
            icon="down"
            title={title}
            isBusy={download.isPending && download.variables === format}
            disabled={download.isPending}
            onClick={() => download.mutate(format)}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <ActionFailure error={download.error} />
    </>
  )
}

/** A link could not carry the key, so the file is fetched and handed to the browser from here. */
async function save(path: string, format: string): Promise<void> {
  const answer = await open(`${path}/download`, { query: { format } })
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `${path.split('/').at(-1)}.${format}`
  link.click()
  URL.revokeObjectURL(address)
}
