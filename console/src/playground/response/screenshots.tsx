import { toServiceFileUrl } from '../../ui/own-file.ts'
import { UrlLink } from './url-link.tsx'

/** Screenshots that the service stores. Other images are linked, not loaded. */
export function Screenshots({ urls }: { urls: string[] }) {
  return (
    <div className="pictures">
      {urls.map((url, index) => {
        const fileUrl = toServiceFileUrl(url)
        const name = urls.length === 1 ? 'Screenshot of the page' : `Screenshot ${index + 1}`
        return fileUrl === undefined ? (
          <UrlLink key={url} url={url}>
            {name}
          </UrlLink>
        ) : (
          <a key={url} href={fileUrl} target="_blank" rel="noopener noreferrer">
            <img src={fileUrl} alt={name} />
          </a>
        )
      })}
    </div>
  )
}
