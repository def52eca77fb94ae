//! Programs about the network itself: names, routes, interfaces, sockets, filters.

use super::interfaces_checks as check;
use super::remote::carries_nothing;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const SYSTEM: Effects = Effects::SYSTEM;
pub(super) const READS: Effects = Effects::READS;
const ASKS: Effects = Effects::NETWORK_READ;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("dig delv kdig mdig", ASKS)
        .options("-46mruv -h!help -bcfikpqtxy=")
        .operands(Operands::Text)
        .check(check::names_asked)
        .examples(&[
            ("dig +short example.com MX @192.0.2.1", "network-read"),
            ("dig -f list", "network-read sends-data"),
            ("dig --foo", "network-read unknown"),
        ]),
    Spec::new("drill", ASKS)
        .options("-46DTSQastuxv -h!help -Vbopdy= -crik=read -f=!sends-data -wq=write")
        .operands(Operands::Text)
        .check(check::names_asked)
        .examples(&[
            ("drill -D example.com", "network-read"),
            ("drill -w out example.com", "network-read writes"),
        ]),
    Spec::new("dog", ASKS)
        .options("-adlrsTv46AHS -tnUq= --type= --class= --json --short --seconds --time --tls --https --udp --tcp --nameserver= --query=")
        .operands(Operands::Text)
        .check(check::dog)
        .examples(&[
            ("dog example.com MX @1.1.1.1", "network-read"),
            ("dog monitor mute_all", "network-read unknown"),
        ]),
    Spec::new("host doggo", ASKS)
        .options("-aCdlrsTvVw46A -cmNRtWpxUkybfS= --type= --class= --json")
        .operands(Operands::Text)
        .check(check::names_asked)
        .examples(&[("host -t mx example.com", "network-read"), ("host -f list", "network-read sends-data")]),
    Spec::new("nslookup", ASKS)
        .style(Style::SingleDash)
        .options(
            "-type= -query= -querytype= -q= -ty= -class= -port= -timeout= -retry= -debug -nodebug -d2 \
            -norecurse -vc",
        )
        .operands(Operands::Text)
        .check(check::names_asked)
        .examples(&[
            ("nslookup -type=mx example.com", "network-read"),
            ("nslookup -foo x", "network-read unknown"),
            ("nslookup", "network-read sends-data"),
            ("nslookup - example.com", "network-read sends-data"),
        ]),
    Spec::new("whois jwhois rdap", ASKS)
        .options("-HIvaBbcCdGlLmMrRxSq -hpgit= --verbose --host= --port=")
        .operands(Operands::Text)
        .check(carries_nothing)
        .examples(&[("whois example.com", "network-read"), ("whois --foo x", "network-read unknown")]),
    Spec::new("ping ping6 arping gping tcping", ASKS)
        .options("-46aABCdDfhLnOqrRUvVbHo -cFiIlmMNpQsStTwWegGkKPxXy= --tcp")
        .operands(Operands::Text)
        .check(carries_nothing)
        .examples(&[("ping -c 4 example.com", "network-read"), ("ping --foo x", "network-read unknown")]),
    Spec::new("traceroute traceroute6 tracepath tracepath6 mtr tcptraceroute trippy", ASKS)
        .options(
            "-46dFITUnreAVbwjlCxzutpSDaE -fgimNpqstwlPzcoOMyBQUL= --report --report-wide --report-cycles= \
                --json --csv \
             --no-dns --tcp --udp --port= --show-ips --aslookup --interval= --max-ttl= --raw --xml",
        )
        .operands(Operands::Text)
        .check(carries_nothing)
        .examples(&[
            ("traceroute -n example.com", "network-read"),
            ("mtr --filename=x a", "network-read unknown"),
        ]),
    Spec::new("nmap zenmap masscan rustscan zmap", ASKS)
        .style(Style::SingleDash)
        .options(
            "-sS -sT -sU -sn -sP -sV -sL -sA -sW -sM -sN -sF -sX -sY -sZ -sO -Pn -PE -PP -PM -n -R -O -F -r \
                -A!executes \
             -sC!executes -v -vv -d -T0 -T1 -T2 -T3 -T4 -T5 -p= -p- -open -reason -top-ports= -exclude= \
             -iL=read!sends-data -iR= \
             -max-retries= -host-timeout= -min-rate= -max-rate= -version-intensity= -6 -e= -g= -S= \
             -packet-trace -iflist \
             -traceroute -system-dns -dns-servers= -oN= -oX= -oG= -oA=write -oS= \
             -oJ=write -oL=write \
             -script=!executes -script-args= -datadir=!executes -resume=read -stylesheet= -append-output \
             -h!help -V!help",
        )
        .operands(Operands::Text)
        .check(check::scans)
        .examples(&[
            ("nmap -sT -p 443 example.com", "network-read network-write"),
            ("nmap -p- localhost 127.0.0.1 ::1", "network-read"),
            ("nmap 10.0.0.0/8", "network-read network-write"),
            ("nmap --script=vuln localhost", "network-read executes"),
            ("nmap -oN x localhost", "network-read writes"),
            ("nmap -oG - localhost", "network-read"),
            ("nmap -iL list", "network-read network-write reads sends-data"),
            ("nmap -iflist", "network-read"),
        ]),
    Spec::new("tcpdump", READS)
        .options(
            "-AbdDefHIJKlLnNOpqStuUvxX -h!help -BcEiGCjMmsTWyQ= -FrV=read -wZ= -z=exec --interface= --count \
             --list-interfaces --immediate-mode --number --print --direction= --snapshot-length= \
             --buffer-size=",
        )
        .operands(Operands::Text)
        .check(check::captures)
        .examples(&[
            ("tcpdump -i eth0 -nn port 80", "reads secrets"),
            ("tcpdump -r a.pcap port 80", "reads"),
            ("tcpdump -D", "reads"),
            ("tcpdump -w x", "reads writes secrets"),
            ("tcpdump -w - port 80", "reads secrets"),
            ("tcpdump -r a.pcap -z x", "reads executes"),
        ]),
    Spec::new("tshark", READS)
        .options(
            "-DLpPIlnqQQVx2 -r=read -ificsaBbyRYdNtTeEjJoOuSUWz= -w=write -C=!executes -X=exec \
                -K=read!secrets --color \
             --export-objects=write --export-tls-session-keys=write!secrets --hexdump=",
        )
        .operands(Operands::Text)
        .check(check::listens)
        .examples(&[
            ("tshark -r a.pcap -Y http -T fields -e ip.src", "reads"),
            ("tshark -i eth0", "reads secrets"),
            ("tshark -r a.pcap -w x", "reads writes"),
            ("tshark -r a.pcap -X lua_script:x", "reads executes"),
        ]),
    Spec::new("ngrep", READS)
        .options("-hNXViwqpevxlDtTRMWk -IFnAscSdP= -O=write")
        .operands(Operands::Text)
        .check(check::listens)
        .examples(&[
            ("ngrep -q GET port 80", "reads secrets"),
            ("ngrep -I a.pcap GET", "reads"),
            ("ngrep -I a.pcap -O x", "reads writes"),
        ]),
    Spec::new("dumpcap tcpflow ettercap bettercap", READS.and(Effects::WRITES))
        .operands(Operands::Text)
        .options("-ifwrbao= -Dqnp")
        .check(check::listens)
        .examples(&[("dumpcap -i eth0", "reads writes secrets"), ("tcpflow -r a.pcap", "reads writes")]),
    // Without an interface they wait for a person to choose one, or show a file.
    Spec::new("termshark wireshark", READS.and(Effects::WRITES))
        .operands(Operands::Text)
        .options("-fwrbao= -i=!secrets -Dqnp")
        .examples(&[("wireshark a.pcap", "reads writes"), ("termshark -i eth0", "reads writes secrets")]),
    Spec::new("iperf iperf3 netperf", Effects::NETWORK_WRITE)
        .options("-sudRJVf46 -cpitbPnlwBMNC=")
        .operands(Operands::Text)
        .examples(&[("iperf3 -c example.com", "network-write")]),
    Spec::new("netstat", READS)
        .options(
            "-46aAbcCdeFgiIlLmMnNoprRsStTuUvVwWxXZ -f= --route --groups --interfaces=? --masquerade \
                --statistics --verbose \
             --wide --numeric --numeric-hosts --numeric-ports --numeric-users --symbolic --extend --program \
             --timers \
             --continuous --listening --all --tcp --udp --raw --unix --inet --inet6 --fib --cache",
        )
        .operands(Operands::Text)
        .examples(&[("netstat -tulpn", "reads"), ("netstat --foo", "reads unknown")]),
    Spec::new("ss", READS)
        .options(
            "-46nralompeTisbEZz0tMSudwxHOhVQ -K!kills!system -NfA= -F=read -D=write --numeric --resolve \
                --all --listening --options \
             --extended --memory --processes --threads --info --tipcinfo --summary --tos --cgroup --bpf \
             --events \
             --context --contexts --net= --ipv4 --ipv6 --packet --tcp --mptcp --sctp --udp --dccp --raw \
             --unix --tipc \
             --vsock --xdp --family= --kill!kills!system --no-header --oneline --inet-sockopt --query= \
             --socket= \
             --filter=read --diag=write --help!help --version!help",
        )
        .style(Style::Gnu)
        .operands(Operands::Text)
        .examples(&[
            ("ss -tlnp", "reads"),
            ("ss -K dst 192.0.2.1", "reads kills system"),
            ("ss -D f", "reads writes"),
        ]),
    Spec::new("ip", READS).style(Style::Raw).check(check::ip).examples(&[
        ("ip a", "reads"),
        ("ip -s -s link", "reads"),
        ("ip -br -c addr show up", "reads"),
        ("ip -netns x route get 192.0.2.1", "reads"),
        ("ip tunt", "reads"),
        ("ip netns identify", "reads"),
        ("ip --human-readable link", "reads"),
        ("ip addr add 192.0.2.1/24 dev eth0", "reads system"),
        ("ip link s eth0 up", "reads unknown"),
        ("ip link se eth0 up", "reads system"),
        ("ip ru add from all", "reads system"),
        ("ip netns exec x ls", "reads executes system"),
        ("ip -all netns exec ls", "reads executes system"),
        ("ip -b file", "reads system"),
        ("ip xfrm state", "reads secrets"),
        ("ip foo", "reads unknown"),
    ]),
    Spec::new("bridge tc rdma devlink dcb tipc vdpa", READS)
        .style(Style::Raw)
        .check(check::link_tools)
        .examples(&[
            ("tc qdisc show dev eth0", "reads"),
            ("bridge -s link", "reads"),
            ("tc qdisc add dev eth0 root netem", "reads system"),
            ("tc -b f", "reads system"),
            ("tc exec bpf", "reads unknown"),
        ]),
    Spec::new("ifconfig iwconfig iwlist", READS).style(Style::Raw).check(check::one_interface).examples(&[
        ("ifconfig", "reads"),
        ("ifconfig -a", "reads"),
        ("ifconfig eth0", "reads"),
        ("ifconfig eth0 down", "reads system"),
        ("ifconfig eth0 -allmulti", "reads system"),
    ]),
    Spec::new("route", READS).style(Style::Raw).check(check::route).examples(&[
        ("route -n", "reads"),
        ("route get default", "reads"),
        ("route -n get default", "reads"),
        ("route add default gw 192.0.2.1", "reads system"),
        ("route -p add x", "reads system"),
    ]),
    Spec::new("arp", READS)
        .options("-aenvlx -Hi= -dsSf=!system")
        .operands(Operands::Text)
        .examples(&[("arp -an", "reads"), ("arp -d host", "reads system")]),
    Spec::new("iw", READS)
        .options("--debug")
        .verbs(&[
            Spec::new("list help event phy reg", READS).operands(Operands::Effect(Effects::UNKNOWN)),
            Spec::new("dev", READS).operands(Operands::Text).check(check::iw_device),
        ])
        .examples(&[
            ("iw dev", "reads"),
            ("iw dev wlan0 link", "reads"),
            ("iw dev wlan0 set power_save off", "reads system"),
        ]),
    Spec::new("nmcli", READS)
        .options(
            "-tpah -s!secrets -fgmec= --terse --pretty --ask --fields= --get-values= --mode= --escape= \
                --colors= --wait= --show-secrets!secrets",
        )
        .verbs(&[
            Spec::new("general gen g", READS).verbs(&[
                Spec::new("status permissions", READS),
                Spec::new("hostname logging", READS).operands(Operands::Effect(SYSTEM)),
            ]),
            Spec::new("networking net n", READS).verbs(&[
                Spec::new("connectivity", READS).operands(Operands::Text),
                Spec::new("on off", SYSTEM),
            ]),
            Spec::new("radio r", READS)
                .verbs(&[Spec::new("wifi wwan all", READS).operands(Operands::Effect(SYSTEM))]),
            Spec::new("connection conn con c", READS).verbs(&[
                Spec::new("show", READS).options("--active --order=").operands(Operands::Text),
                Spec::new("monitor", READS).operands(Operands::Text),
                Spec::new("up down add modify clone edit delete reload load import export migrate", SYSTEM)
                    .options("--*")
                    .operands(Operands::Text),
            ]),
            Spec::new("device dev d", READS).verbs(&[
                Spec::new("status show monitor lldp", READS).operands(Operands::Text),
                Spec::new("wifi", READS).verbs(&[
                    Spec::new("list", READS).options("--rescan=").operands(Operands::Text),
                    Spec::new("show-password", Effects::SECRETS).operands(Operands::Text),
                    Spec::new("connect hotspot rescan", SYSTEM).operands(Operands::Text),
                ]),
                Spec::new("connect disconnect set reapply modify delete up down checkpoint", SYSTEM)
                    .operands(Operands::Text),
            ]),
            Spec::new("monitor m help", READS),
            Spec::new("agent", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[
            ("nmcli -t -f NAME con show", "reads"),
            ("nmcli", "reads"),
            ("nmcli con up x", "system"),
            ("nmcli -s con show x", "reads secrets"),
            ("nmcli dev wifi show-password", "secrets"),
        ]),
    Spec::new("resolvectl systemd-resolve", READS)
        .options(
            "-46ip -ctMo= --interface= --protocol= --type= --class= --legend= --json= --no-pager --status \
            --statistics",
        )
        .verbs(&[
            Spec::new("query service openpgp tlsa", ASKS).operands(Operands::Text).check(carries_nothing),
            Spec::new("status statistics show-cache show-server-state monitor", READS)
                .operands(Operands::Text),
            Spec::new("dns domain default-route llmnr mdns dnsovertls dnssec nta log-level", READS)
                .operands(Operands::Text)
                .check(check::second_sets),
            Spec::new("flush-caches reset-server-features reset-statistics revert", SYSTEM)
                .operands(Operands::Text),
        ])
        .examples(&[
            ("resolvectl status", "reads"),
            ("resolvectl query example.com", "network-read"),
            ("resolvectl dns eth0 192.0.2.1", "reads system"),
            ("resolvectl flush-caches", "system"),
        ]),
    Spec::new("ethtool", READS)
        .options(
            "-acgikSTmnPlxdu -h!help -ACGKsXNLEfrptWQ=!system --show-ring --show-features --show-offload \
            --driver --statistics",
        )
        .operands(Operands::Text)
        .examples(&[
            ("ethtool eth0", "reads"),
            ("ethtool -S eth0", "reads"),
            ("ethtool -s eth0 speed 100", "reads system"),
        ]),
    Spec::new("iptables ip6tables arptables ebtables iptables-legacy iptables-nft", SYSTEM)
        .style(Style::Raw)
        .check(check::filter_rules)
        .examples(&[
            ("iptables -L -n -v", "reads"),
            ("iptables -t nat -S", "reads"),
            ("iptables -A INPUT -j DROP", "system"),
            ("iptables -F", "system"),
            ("iptables -L -Z", "system"),
        ]),
    Spec::new("iptables-save ip6tables-save", READS)
        .options("-c -t= -f=write --counters --table=")
        .examples(&[("iptables-save", "reads"), ("iptables-save -f x", "reads writes")]),
    Spec::new("iptables-restore ip6tables-restore ipset conntrack", SYSTEM)
        .operands(Operands::Text)
        .examples(&[("iptables-restore rules", "system")]),
    Spec::new("nft", SYSTEM)
        .options("-acjnNsSyptT -hv!help -I= -f=read --handle --json --check!dry")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("list", READS).operands(Operands::Text).check(check::one_firewall_command),
            Spec::new("monitor describe", READS).operands(Operands::Text).check(check::one_firewall_command),
        ])
        .examples(&[
            ("nft list ruleset", "reads"),
            ("nft list ruleset ';' flush ruleset", "reads system"),
            ("nft flush ruleset", "system"),
            ("nft -f x", "system reads"),
        ]),
    Spec::new("ufw", SYSTEM)
        .options("--dry-run!dry --force")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("status", READS).operands(Operands::Text),
            Spec::new("show", READS).operands(Operands::Text),
            Spec::new("version", READS),
        ])
        .examples(&[("ufw status verbose", "reads"), ("ufw disable", "system"), ("ufw allow 22", "system")]),
    Spec::new("firewall-cmd", READS)
        .options(
            "-qh --state --version --get-default-zone --get-active-zones --get-zones --get-services \
                --get-icmptypes \
             --list-all --list-all-zones --list-services --list-ports --list-rich-rules --list-interfaces \
             --list-sources --list-protocols --zone= --info-zone= --info-service= --query-service= \
             --query-port= \
             --query-masquerade --permanent --reload!system --complete-reload!system --panic-on!system \
             --panic-off!system --add-port=!system --remove-port=!system --add-service=!system \
             --remove-service=!system \
             --add-rich-rule=!system --remove-rich-rule=!system --add-interface=!system \
             --change-interface=!system \
             --set-default-zone=!system --runtime-to-permanent!system --add-masquerade!system \
             --add-forward-port=!system \
             --new-zone=!system --delete-zone=!system --direct!system",
        )
        .examples(&[
            ("firewall-cmd --list-all", "reads"),
            ("firewall-cmd --add-port=80/tcp", "reads system"),
        ]),
    Spec::new("wg", READS)
        .verbs(&[
            Spec::new("show", READS).operands(Operands::Text).check(check::wireguard_show),
            Spec::new("showconf genkey genpsk", Effects::SECRETS).operands(Operands::Text),
            Spec::new("pubkey", READS),
            Spec::new("set setconf addconf syncconf", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[
            ("wg", "reads"),
            ("wg show wg0", "reads"),
            ("wg show wg0 private-key", "reads secrets"),
            ("wg showconf wg0", "secrets"),
            ("wg set wg0 peer x", "system"),
        ]),
    Spec::new(
        "wg-quick openvpn openconnect vpnc dhclient dhcpcd pppd hostapd wpa_supplicant ifup ifdown \
        strongswan ipsec networkd-dispatcher pon poff brctl vconfig ifmetric macchanger wpa_cli rfkill",
        SYSTEM,
    )
    .operands(Operands::Text)
    .options("-vrc=")
    .examples(&[("wg-quick up wg0", "system"), ("openvpn --config x", "system unknown")]),
    Spec::new("certbot acme.sh lego", Effects::NETWORK_WRITE.and(SYSTEM))
        .operands(Operands::Text)
        .verbs(&[Spec::new("certificates show_account plugins", READS).options("-d= --cert-name=")])
        .examples(&[("certbot certificates", "reads"), ("certbot renew", "network-write system")]),
    Spec::new("ipcalc sipcalc subnetcalc ipcalc-ng", READS)
        .options("-46bchnpsamjriS --json --info --all-info")
        .operands(Operands::Text)
        .examples(&[("ipcalc 192.0.2.0/24", "reads"), ("ipcalc --foo", "reads unknown")]),
];
