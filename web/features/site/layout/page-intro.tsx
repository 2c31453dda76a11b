/** The head of a public page: one title, one sentence. */
export function PageIntro({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="border-b">
      <div className="mx-auto max-w-300 px-5 pt-16 pb-14 sm:px-8 wide:pt-24 wide:pb-20">
        <h1 className="max-w-[20ch] text-3xl font-[680] tracking-[-0.035em] sm:text-4xl">{title}</h1>
        <p className="mt-6 max-w-[56ch] text-read text-text">{children}</p>
      </div>
    </section>
  )
}
