"""Resolves conflicts in flat JSON packs by keeping both sides."""
import re,sys,json,collections
for p in sys.argv[1:]:
    s=open(p).read()
    def both(m):
        a,b=m.group(1).rstrip('\n'),m.group(2).rstrip('\n')
        if a.strip() and not a.rstrip().endswith(','): a+=','
        return a+'\n'+b+'\n'
    s=re.sub(r"<<<<<<< [^\n]*\n(.*?)=======\n(.*?)>>>>>>> [^\n]*\n",both,s,flags=re.S)
    d=json.loads(s,object_pairs_hook=collections.OrderedDict)
    open(p,'w').write(json.dumps(d,ensure_ascii=False,indent=2)+'\n')
