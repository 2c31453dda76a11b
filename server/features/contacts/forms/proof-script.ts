/** What browsers run for a form: plain scripts without a build, on our page and on other sites. */

/**
 * `sha256(text)` of ASCII as eight 32-bit numbers, and `solve(challenge, done)` of Altcha's challenges, in slices that let
 * the page breathe. Without crypto.subtle, which pages without https lack and which takes longer for short texts.
 */
export const SOLVER = `
function frac(x){return (x-Math.floor(x))*4294967296|0}
var K=[],P=[];for(var n=2,c=0;c<64;n++){for(var q=2,p=1;q*q<=n;q++)if(n%q===0)p=0;if(p){if(c<8)P[c]=frac(Math.sqrt(n));K[c++]=frac(Math.pow(n,1/3))}}
var X=new Int32Array(64);
function rot(v,by){return v>>>by|v<<32-by}
function sha256(s){
  var l=s.length,b=(l+8>>6)+1,w=new Int32Array(b*16),h=P.slice(),i,j;
  for(i=0;i<l;i++)w[i>>2]|=s.charCodeAt(i)<<24-(i&3)*8;
  w[l>>2]|=128<<24-(l&3)*8;w[b*16-1]=l*8;
  for(j=0;j<b;j++){
    var v=h.slice();
    for(i=0;i<64;i++){
      if(i<16)X[i]=w[j*16+i];
      else{var x=X[i-15],y=X[i-2];X[i]=(rot(x,7)^rot(x,18)^x>>>3)+(rot(y,17)^rot(y,19)^y>>>10)+X[i-16]+X[i-7]|0}
      var a=v[0],e=v[4],t=v[7]+(rot(e,6)^rot(e,11)^rot(e,25))+(e&v[5]^~e&v[6])+K[i]+X[i]|0;
      var u=(rot(a,2)^rot(a,13)^rot(a,22))+(a&v[1]^a&v[2]^v[1]&v[2])|0;
      v=[t+u|0,a,v[1],v[2],v[3]+t|0,e,v[5],v[6]];
    }
    for(i=0;i<8;i++)h[i]=h[i]+v[i]|0;
  }
  return h;
}
function solve(c,done){
  var want=[],n=0,i;
  for(i=0;i<8;i++)want[i]=parseInt(c.challenge.substr(i*8,8),16)|0;
  (function some(){
    for(var ends=Date.now()+20;n<=c.maxnumber&&Date.now()<ends;)for(i=0;i<200;i++,n++){
      var h=sha256(c.salt+n);
      if(h[0]===want[0]&&h[1]===want[1]&&h[7]===want[7])return done(btoa(JSON.stringify({algorithm:c.algorithm,challenge:c.challenge,number:n,salt:c.salt,signature:c.signature})));
    }
    if(n<=c.maxnumber)setTimeout(some,0);else done('');
  })();
}`

/**
 * `prepare(url)`: fetches when the form was opened, and the challenge, which is solved at once. Its `get(then)` passes what is
 * sent with the form; after 15 minutes, or once it was used, it starts anew. `tell` hears 'running', 'done' or 'failed'.
 */
const PREPARE = `
function prepare(url,tell){
  var opened,since,proof,at,waiting=[],busy=0;
  function end(state){busy=0;tell(state);waiting.splice(0).forEach(function(f){f()})}
  function start(){
    if(busy)return;
    busy=1;proof=undefined;tell('running');
    fetch(url,{headers:{accept:'application/json'}}).then(function(r){if(!r.ok)throw r;return r.json()}).then(function(c){
      at=Date.now();
      if(!opened||at-since>8e7){opened=c.opened;since=at}
      if(!c.challenge)return end('done');
      solve(c,function(found){proof=found;end(found?'done':'failed')});
    }).catch(function(){at=0;end('failed')});
  }
  start();
  return {start:start,isReady:function(){return !busy&&Date.now()-at<9e5},get:function(then){
    function give(){var v={};if(opened)v.opened=opened;if(proof)v.altcha=proof;then(v)}
    if(!busy&&Date.now()-at<9e5)return give();
    waiting.push(give);start();
  }};
}`

/** What the page of a form loads where it asks for a proof: it fills in the solution, and sends the form when it has it. */
export const PAGE_SCRIPT = `(function(){'use strict';${SOLVER}${PREPARE}
var f=document.querySelector('form[data-challenge]');if(!f)return;
var s=document.getElementById('check'),w={running:'Security check running\\u2026',done:'Security check passed',failed:'The security check could not run. Send the form to try again.'};
var p=prepare(f.getAttribute('data-challenge'),function(state){s.textContent=w[state];s.setAttribute('data-state',state)});
f.addEventListener('submit',function(e){
  if(p.isReady()&&f.elements.altcha.value)return;
  e.preventDefault();
  p.get(function(v){if(!v.altcha)return;f.elements.altcha.value=v.altcha;f.submit()});
});
window.addEventListener('pageshow',function(e){if(e.persisted){f.elements.altcha.value='';p.start()}});
})();
`

/** The script for other sites, with what it shows: it posts the form, and says what came of it. */
export const buildSiteScript = (data: { url: string; html: string; proves: boolean }): string =>
  `(function(){${data.proves ? SOLVER : ''}${PREPARE}
var d=${JSON.stringify(data).replaceAll('<', '\\u003c')},s=document.currentScript,b=document.createElement('div');b.innerHTML=d.html;s.parentNode.insertBefore(b,s);
var f=b.querySelector('form'),m=document.createElement('p');m.setAttribute('role','status');f.appendChild(m);
var p=prepare(d.url+'/challenge',function(){});
f.addEventListener('submit',function(e){e.preventDefault();var v={};new FormData(f).forEach(function(x,k){v[k]=x});var t=f.querySelector('button');t.disabled=true;m.textContent='';
p.get(function(more){for(var k in more)v[k]=more[k];
fetch(d.url,{method:'POST',headers:{'content-type':'application/json',accept:'application/json'},body:JSON.stringify(v)}).then(function(r){return r.json().then(function(j){
if(r.ok&&j.redirectUrl){location.href=j.redirectUrl;return}m.textContent=j.message;if(r.ok){Array.prototype.forEach.call(f.elements,function(i){i.disabled=true})}else{t.disabled=false;if(more.altcha)p.start()}})}).catch(function(){f.submit()})})})})();
`
