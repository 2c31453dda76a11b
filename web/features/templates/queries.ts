import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { blocks, brand } from '#contracts/templates/parts.ts'
import { templates } from '#contracts/templates/templates.ts'
import { api, publicApi } from '#web/api.ts'
import { type DraftSource, useEditorBackend } from './editor-backend.tsx'

/** One template with its source. */
export function useTemplate(id: string) {
  return useQuery({
    queryKey: ['templates', id],
    queryFn: () => api(templates.get, { params: { id } }),
    staleTime: 0,
    enabled: id !== '',
  })
}

/** The templates that come with Postlark. */
export function useStarters() {
  return useQuery({
    queryKey: ['starter-templates'],
    queryFn: () => publicApi(templates.starters),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A saved template as its reader sees it; `version` makes a changed one be rendered anew. */
export function useRendered(id: string, version: string, enabled = true) {
  return useQuery({
    queryKey: ['rendered', id, version],
    queryFn: () => api(templates.preview, { params: { id }, body: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
    retry: false,
  })
}

/** An earlier state of a template as its reader would have seen it. */
export function useRenderedVersion(id: string, versionId: string, enabled: boolean) {
  return useQuery({
    queryKey: ['rendered-version', id, versionId],
    queryFn: async () => {
      const { subject, html, mjml } = await api(templates.showVersion, { params: { id, versionId } })
      return api(templates.draftPreview, { body: { subject, html, mjml } })
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
    retry: 1,
  })
}

/** The pieces of emails the workspace keeps. */
export function useBlocks(enabled = true) {
  return useQuery({ queryKey: ['blocks'], queryFn: () => api(blocks.list), enabled })
}

/** The workspace's colors and fonts. */
export function useBrand(enabled = true) {
  return useQuery({ queryKey: ['brand'], queryFn: () => api(brand.get), staleTime: 60_000, enabled })
}

/** What is being written, rendered without saving; the last good rendering stays while the next one comes. */
export function useDraftPreview(source: DraftSource, enabled = true) {
  const { preview, isDemo } = useEditorBackend()
  return useQuery({
    queryKey: ['draft-preview', isDemo, source],
    queryFn: () => preview(source),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    enabled,
    retry: false,
  })
}
