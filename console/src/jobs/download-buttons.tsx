import { useMutation } from '@tanstack/react-query'
import { openResponse } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { ActionFailure } from './action-failure.tsx'

const formats = [
  { format: 'jsonl', name: 'JSONL', title: 'One document per line' },
  { format: 'csv', name: 'CSV', title: 'Table of pages' },
  { format: 'zip', name: 'Zip', title: 'Folder of Markdown files' },
]

/** Buttons that download the documents of a job as a file. */
export function DownloadButtons({ path }: { path: string }) {
  const download = useMutation({ mutationFn: (format: string) => downloadFile(path, format) })
  return (
    <>
      <fieldset className="row bare">
        <legend className="hidden">Download</legend>
        {formats.map(({ format, name, title }) => (
          <Button
            key={format}
            icon="download"
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

/** Downloads the file with fetch, because a link cannot send the API key. */
async function downloadFile(path: string, format: string): Promise<void> {
  const response = await openResponse(`${path}/download`, { query: { format } })
  const objectUrl = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = objectUrl
  link.download = `${path.split('/').at(-1)}.${format}`
  link.click()
  URL.revokeObjectURL(objectUrl)
}
