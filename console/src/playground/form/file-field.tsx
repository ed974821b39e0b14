import { type DragEvent, useId, useState } from 'react'

interface FileFieldProps {
  file: File | undefined
  onFile: (file: File | undefined) => void
}

/** File input with drag and drop. */
export function FileField({ file, onFile }: FileFieldProps) {
  const id = useId()
  const [isDragOver, setDragOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDragOver(false)
    onFile(event.dataTransfer.files[0] ?? file)
  }
  return (
    <label
      htmlFor={id}
      className={isDragOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
    >
      <strong>{file ? file.name : 'Drop a file here, or choose one'}</strong>
      <span className="quiet">
        {file
          ? `${Math.ceil(file.size / 1024).toLocaleString('en')} KB`
          : 'PDF, Word, spreadsheets, slides, e-books, images, HTML, text'}
      </span>
      <input
        id={id}
        type="file"
        className="hidden"
        required={!file}
        onChange={({ target }) => onFile(target.files?.[0] ?? file)}
      />
    </label>
  )
}
