export default function LandingPage() {
  return <h1>Postlark</h1>
}
