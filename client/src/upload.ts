/** A file to send: bytes with a name, or a File of a form. A Blob without a name is known by its bytes and type alone. */
export type Upload = Blob | NamedFile

export interface NamedFile {
  data: Blob | Uint8Array | ArrayBuffer | string
  /** With its extension, by which the service tells types that look alike. */
  name: string
}

export function uploadForm(file: Upload, options: object): FormData {
  const form = new FormData()
  // The options first: the reader of the form knows them before the file comes.
  form.append('options', JSON.stringify(options))
  if (file instanceof Blob) form.append('file', file, file instanceof File ? file.name : 'file')
  else if (typeof file?.name === 'string') form.append('file', asBlob(file.data), file.name)
  else throw new TypeError('Pass the file as a Blob, a File, or { data, name }.')
  return form
}

function asBlob(data: NamedFile['data']): Blob {
  // A view may be of shared memory, of which no Blob is made; the copy is not.
  return data instanceof Blob ? data : new Blob([data instanceof Uint8Array ? new Uint8Array(data) : data])
}
