/**
 * File to upload: bytes with a name, or a File of a form. For a Blob without a name, the
 * service detects the file type from the bytes and the media type.
 */
export type Upload = Blob | NamedFile

export interface NamedFile {
  data: Blob | Uint8Array | ArrayBuffer | string
  /** File name with its extension, by which the service distinguishes file types with similar content. */
  name: string
}

export function uploadForm(file: Upload, options: object): FormData {
  const form = new FormData()
  // The options come first, so that the service reads them before the file.
  form.append('options', JSON.stringify(options))
  if (file instanceof Blob) form.append('file', file, file instanceof File ? file.name : 'file')
  else if (typeof file?.name === 'string') form.append('file', toBlob(file.data), file.name)
  else throw new TypeError('Pass the file as a Blob, a File, or { data, name }.')
  return form
}

function toBlob(data: NamedFile['data']): Blob {
  // The view is copied because it may refer to shared memory, from which a Blob cannot be created.
  return data instanceof Blob ? data : new Blob([data instanceof Uint8Array ? new Uint8Array(data) : data])
}
